//! One connection to the arena: frames in, frames out.

use std::error::Error;
use std::time::Duration;

use generated::arena::v1::client_message::Kind;
use generated::arena::v1::play_service_client::PlayServiceClient;
use generated::arena::v1::{ClientMessage, PlayRequest, PlayResponse};
use tokio::sync::mpsc::{self, UnboundedSender, WeakUnboundedSender};
use tokio::time::timeout;
use tokio_stream::wrappers::UnboundedReceiverStream;
use tonic::{Request, Status, Streaming};

use crate::settings::{Settings, cause};

/// The arena sends its initial metadata at once; longer than this means that no arena answers there.
const ACCEPT_WITHIN: Duration = Duration::from_secs(10);

/// The way from a thinking thread to the arena; what is said after the connection has ended is lost.
///
/// It does not keep this side open: half-closing waits for no thought.
pub struct Outbox(Option<WeakUnboundedSender<PlayRequest>>);

impl Outbox {
    /// Sends one message in a frame of its own.
    pub fn say(&self, message: Kind) {
        if let Some(frames) = self.0.as_ref().and_then(WeakUnboundedSender::upgrade) {
            say(&frames, vec![message]);
        }
    }
}

/// A Play call that the arena has taken.
pub struct Connection {
    /// `None` once this side is half-closed.
    outgoing: Option<UnboundedSender<PlayRequest>>,
    incoming: Streaming<PlayResponse>,
}

impl Connection {
    /// Connects and waits for the arena's initial metadata: what is written earlier can hide the reason of a refusal.
    pub async fn open(settings: &Settings) -> Result<Self, Status> {
        let (outgoing, frames) = mpsc::unbounded_channel();
        let mut request = Request::new(UnboundedReceiverStream::new(frames));
        if let Some(authorization) = &settings.authorization {
            request.metadata_mut().insert("authorization", authorization.clone());
        }
        let mut service = PlayServiceClient::new(settings.endpoint.connect_lazy());
        let response = timeout(ACCEPT_WITHIN, service.play(request))
            .await
            .map_err(|_| Status::unavailable("nothing answers at this address"))??;
        Ok(Self { outgoing: Some(outgoing), incoming: response.into_inner() })
    }

    /// Sends the messages, 64 at most, as one frame, if there are any and this side is still open.
    pub fn say(&self, messages: Vec<Kind>) {
        if let Some(frames) = &self.outgoing
            && !messages.is_empty()
        {
            say(frames, messages);
        }
    }

    /// For answers that are found while the connection goes on.
    pub fn outbox(&self) -> Outbox {
        Outbox(self.outgoing.as_ref().map(UnboundedSender::downgrade))
    }

    /// Tells the arena, after what was said before, that nothing more comes.
    pub fn half_close(&mut self) {
        self.outgoing = None;
    }

    /// Whether this side has said all it had to say.
    pub fn is_half_closed(&self) -> bool {
        self.outgoing.is_none()
    }

    /// The next frame; `None` when the arena has ended the call with OK.
    pub async fn next_frame(&mut self, patience: Duration) -> Result<Option<PlayResponse>, Status> {
        let silence = |_| Status::unavailable(format!("nothing was heard for {patience:?}"));
        timeout(patience, self.incoming.message()).await.map_err(silence)?
    }

    /// After the goodbye: closes this side and waits until the arena has ended the call, at most so long.
    pub async fn finish(mut self, patience: Duration) {
        self.half_close();
        let rest = async { while let Ok(Some(_)) = self.incoming.message().await {} };
        let _ = timeout(patience, rest).await;
    }
}

/// A frame that the call does not take any more is dropped: whoever reads is told why.
fn say(frames: &UnboundedSender<PlayRequest>, messages: Vec<Kind>) {
    let messages = messages.into_iter().map(|kind| ClientMessage { kind: Some(kind) }).collect();
    let _ = frames.send(PlayRequest { messages });
}

/// What a status tells a person.
pub fn reason(status: &Status) -> String {
    match status.source() {
        Some(source) => cause(source),
        None => format!("{:?}: {}", status.code(), status.message()),
    }
}
