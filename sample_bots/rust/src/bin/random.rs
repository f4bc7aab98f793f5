//! The smallest complete bot: it plays any legal action. Copy it to begin your own (docs/bots/rust.md).

use std::{env, error::Error, fs, process::exit, time::Duration};

use generated::arena::v1::play_service_client::PlayServiceClient;
use generated::arena::v1::{client_message::Kind as Say, server_message::Kind as Told, *};
use generated::arena::v1::{goodbye::Code, hello::Comeback};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::metadata::MetadataMap;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Extensions, Request, Status};

/// Your bot begins here: which of the legal actions to play, by its place in the list.
fn choose(decision: &Decision) -> usize {
    fastrand::usize(..decision.legal_actions.len())
}

/// What the bot expects of the match: that it ends as it stands. Nobody is sent it before the end.
fn expect(decision: &Decision) -> Evaluation {
    let seats = match decision.view.as_ref().and_then(|view| view.game.as_ref()) {
        Some(observation::Game::Caravan(view)) => view.seats.as_slice(),
        _ => &[],
    };
    let final_scores = seats.iter().map(|seat| seat.score).collect();
    Evaluation { final_scores, line: "as it stands".into(), ..Default::default() }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let (arena, metadata) = settings().unwrap_or_else(|problem| {
        eprintln!("The ARENA_ variables name no arena: {problem}.");
        exit(2)
    });
    let (mut comeback, mut pause_ms) = (Comeback::Claim(true), 100);
    loop {
        match play(&arena, &metadata, &mut comeback, &mut pause_ms).await {
            Ok(goodbye) => {
                eprintln!("{}", goodbye.sentence);
                if !goodbye.come_back {
                    exit(if goodbye.code() == Code::Done { 0 } else { 3 });
                }
                pause_ms = pause_ms.max(goodbye.come_back_after_ms.into());
            }
            Err(lost) => eprintln!("No connection to the arena ({:?}: {}).", lost.code(), lost.message()),
        }
        tokio::time::sleep(Duration::from_millis(pause_ms)).await;
        pause_ms = (pause_ms * 2).min(10_000);
    }
}

/// What the environment says: where the arena is, and the token as metadata.
fn settings() -> Result<(Endpoint, MetadataMap), Box<dyn Error>> {
    let setting = |name| env::var(name).ok().filter(|value| !value.is_empty());
    let address = setting("ARENA_ADDRESS").ok_or("ARENA_ADDRESS is not set")?;
    let mut metadata = MetadataMap::new();
    if let Some(token) = setting("ARENA_TOKEN") {
        metadata.insert("authorization", format!("Bearer {token}").parse()?);
    }
    let tls = match (setting("ARENA_TLS_CA"), setting("ARENA_TLS").as_deref()) {
        _ if address.starts_with("unix:") => return Ok((Endpoint::from_shared(address)?, metadata)),
        (Some(path), _) => {
            let pem = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem))
        }
        (_, Some("1")) => ClientTlsConfig::new().with_native_roots(),
        _ => return Ok((Endpoint::from_shared(format!("http://{address}"))?, metadata)),
    };
    Ok((Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls)?, metadata))
}

/// Plays over one connection until the arena says goodbye.
async fn play(
    arena: &Endpoint,
    metadata: &MetadataMap,
    comeback: &mut Comeback,
    pause_ms: &mut u64,
) -> Result<Goodbye, Status> {
    let (frames, outgoing) = tokio::sync::mpsc::unbounded_channel();
    let outgoing = UnboundedReceiverStream::new(outgoing);
    let call = Request::from_parts(metadata.clone(), Extensions::default(), outgoing);
    let mut incoming = PlayServiceClient::new(arena.connect_lazy()).play(call).await?.into_inner();
    let say = |kind| {
        let messages = vec![ClientMessage { kind: Some(kind) }];
        frames.send(PlayRequest { messages }).ok(); // If this fails, reading tells why.
    };
    say(Say::Hello(Hello {
        lowest_protocol: 1,
        highest_protocol: 1,
        bot_version: "1".into(),
        games: vec![GameSupport { game: "caravan".into(), rules_versions: vec![] }],
        capacity: Some(Capacity { matches: 4, open_decisions: 1 }),
        language: "rust".into(),
        software: "tonic 0.14".into(),
        comeback: Some(comeback.clone()),
        ..Default::default()
    }));
    while let Some(frame) = incoming.message().await? {
        for message in frame.messages {
            match message.kind {
                Some(Told::Welcome(new)) => {
                    (*comeback, *pause_ms) = (Comeback::ResumeToken(new.resume_token), 100)
                }
                Some(Told::Ping(Ping { id })) => say(Say::Pong(Pong { id })),
                Some(Told::Assigned(Assigned { assignment, .. })) => say(Say::Ready(Ready { assignment })),
                Some(Told::Decision(decision)) => {
                    let choice = Some(answer::Choice::Index(choose(&decision) as u32));
                    let evaluation = Some(expect(&decision));
                    let Decision { assignment, decision, .. } = decision;
                    say(Say::Answer(Answer {
                        assignment,
                        decision,
                        choice,
                        evaluation,
                        ..Default::default()
                    }));
                }
                Some(Told::Warning(warning)) => eprintln!("{}", warning.sentence),
                Some(Told::Goodbye(goodbye)) => return Ok(goodbye),
                _ => {} // News that this bot does not need, or a kind from a newer arena.
            }
        }
    }
    Err(Status::unavailable("the arena ended the call without a goodbye"))
}
