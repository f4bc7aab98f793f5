//! The smallest complete bot: it plays any legal action. Copy it to begin your own (docs/bots/rust.md).

use std::{env, error::Error, fs, process::exit, time::Duration};

use generated::arena::v1::play_service_client::PlayServiceClient;
use generated::arena::v1::{client_message::Kind as Say, server_message::Kind as Told, *};
use generated::arena::v1::{goodbye::Code as Why, hello::Comeback};
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::Code::{FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint};
use tonic::{Request, Status};

/// Your bot begins here: which of the legal actions to play, by its place in the list.
fn choose(decision: &Decision) -> usize {
    fastrand::usize(..decision.legal_actions.len())
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arena = arena_from_env().unwrap_or_else(|problem| {
        eprintln!("random: The ARENA_ variables name no arena: {problem}.");
        exit(2)
    });
    let (mut comeback, mut pause_ms) = (Comeback::Claim(true), 100);
    loop {
        let end = play(&arena, &mut comeback, &mut pause_ms).await.unwrap_or_else(|lost| {
            let refusals =
                [FailedPrecondition, InvalidArgument, PermissionDenied, Unauthenticated, Unimplemented];
            let sentence = format!("{:?}: {}", lost.code(), lost.message());
            Goodbye { sentence, come_back: !refusals.contains(&lost.code()), ..Goodbye::default() }
        });
        eprintln!("random: {}", end.sentence);
        match end.code() {
            Why::Done => exit(0),
            Why::Replaced => exit(3),
            Why::ShuttingDown if !end.come_back => exit(0),
            _ if !end.come_back => exit(3),
            Why::ResumeInvalid => comeback = Comeback::Claim(true),
            _ => {}
        }
        tokio::time::sleep(Duration::from_millis(pause_ms.max(end.come_back_after_ms.into()))).await;
        pause_ms = (pause_ms * 2).min(10_000);
    }
}

fn arena_from_env() -> Result<Endpoint, Box<dyn Error>> {
    let address = env::var("ARENA_ADDRESS").map_err(|_| "ARENA_ADDRESS is not set")?;
    let tls = match (env::var("ARENA_TLS_CA"), env::var("ARENA_TLS").as_deref()) {
        _ if address.starts_with("unix:") => return Ok(Endpoint::from_shared(address)?),
        (Ok(path), _) => {
            let pem = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
            ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem))
        }
        (_, Ok("1")) => ClientTlsConfig::new().with_native_roots(),
        _ => return Ok(Endpoint::from_shared(format!("http://{address}"))?),
    };
    Ok(Endpoint::from_shared(format!("https://{address}"))?.tls_config(tls)?)
}

/// Plays over one connection until the arena says goodbye.
async fn play(arena: &Endpoint, comeback: &mut Comeback, pause_ms: &mut u64) -> Result<Goodbye, Status> {
    let (frames, outgoing) = tokio::sync::mpsc::unbounded_channel();
    let mut call = Request::new(UnboundedReceiverStream::new(outgoing));
    if let Ok(token) = env::var("ARENA_TOKEN") {
        let bearer = format!("Bearer {token}").parse().map_err(|_| Status::unauthenticated("not a token"))?;
        call.metadata_mut().insert("authorization", bearer);
    }
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
        preferences: None,
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
                    let Decision { assignment, decision, .. } = decision;
                    say(Say::Answer(Answer { assignment, decision, choice }));
                }
                Some(Told::Warning(warning)) => eprintln!("random: {}", warning.sentence),
                Some(Told::Goodbye(goodbye)) => return Ok(goodbye),
                _ => {} // News that this bot does not need, or a kind from a newer arena.
            }
        }
    }
    Err(Status::unavailable("the arena ended the call without a goodbye"))
}
