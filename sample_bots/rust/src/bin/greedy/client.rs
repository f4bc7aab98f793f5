//! Keeps a session alive over its connections until there is a reason to end the program.

use std::process::ExitCode;
use std::time::Duration;

use generated::arena::v1::answer::Choice;
use generated::arena::v1::client_message::Kind as Say;
use generated::arena::v1::goodbye::Code as GoodbyeCode;
use generated::arena::v1::server_message::Kind as Told;
use generated::arena::v1::{Answer, Decision, Goodbye, PlayResponse};
use tokio::sync::watch;
use tokio::time::sleep;
use tonic::{Code, Status};

use crate::connection::{Connection, reason};
use crate::session::Session;
use crate::settings::Settings;
use crate::tell;

/// The arena does not want this bot like this; starting it again would not help.
const REFUSED: u8 = 3;

/// The arena pings every 15 s: after such a silence the connection is dead, whatever the library thinks.
const SILENCE: Duration = Duration::from_secs(40);

/// What a bot that leaves with nothing running waits for the arena's next word.
const GOODBYE_WITHIN: Duration = Duration::from_secs(10);

/// A bot that is to leave gives up its running matches after so many attempts to come back to them.
const LEAVING_ATTEMPTS: u32 = 5;

/// Finds the answer to a decision. It runs on a thread of its own, so it may take its time.
pub type Policy = fn(&Decision) -> Choice;

/// How a connection ended.
enum End {
    /// So does the program.
    Exit(ExitCode),
    /// Another connection makes sense, at the earliest `after` this time.
    Again { why: String, after: Duration },
}

/// A bot at its arena.
pub struct Client {
    settings: Settings,
    policy: Policy,
    leave: watch::Receiver<bool>,
    session: Session,
}

impl Client {
    /// Once `leave` is true the bot finishes its matches and goes.
    pub fn new(settings: Settings, policy: Policy, leave: watch::Receiver<bool>) -> Self {
        Self { settings, policy, leave, session: Session::default() }
    }

    /// Plays until the arena says goodbye for good, or the bot has left.
    pub async fn run(mut self) -> ExitCode {
        let mut backoff = Backoff::default();
        loop {
            let (why, after) = match self.visit().await {
                End::Exit(code) => return code,
                End::Again { why, after } => (why, after),
            };
            if self.session.is_welcomed() {
                backoff = Backoff::default();
            }
            self.session.disconnected();
            if self.is_leaving() && (self.session.is_idle() || backoff.failures >= LEAVING_ATTEMPTS) {
                tell(why);
                return ExitCode::SUCCESS;
            }
            let pause = backoff.next_pause().max(after);
            tell(format_args!("{why} Trying again in {:.1} s.", pause.as_secs_f64()));
            self.rest(pause).await;
        }
    }

    /// Serves one connection from its beginning to its end.
    async fn visit(&mut self) -> End {
        let opened = tokio::select! {
            opened = Connection::open(&self.settings) => opened,
            () = asked_to_leave(&mut self.leave), if self.session.is_idle() => {
                return End::Exit(ExitCode::SUCCESS);
            }
        };
        let mut connection = match opened {
            Ok(connection) => connection,
            Err(status) => return self.after_loss(&status),
        };
        match self.talk(&mut connection).await {
            Ok(Some(goodbye)) => {
                connection.finish(GOODBYE_WITHIN).await;
                self.after_goodbye(&goodbye)
            }
            // Otherwise an assignment has crossed the half-close: it is played on another connection.
            _ if connection.is_half_closed() && self.session.is_idle() => End::Exit(ExitCode::SUCCESS),
            Ok(None) => again("The arena ended the connection without a goodbye."),
            Err(status) => self.after_loss(&status),
        }
    }

    /// Answers what the arena says until its goodbye; `None` if it ends the call without one.
    async fn talk(&mut self, connection: &mut Connection) -> Result<Option<Goodbye>, Status> {
        if self.is_leaving() {
            self.session.leave();
        }
        connection.say(vec![self.session.hello()]);
        loop {
            let patience = if self.session.has_finished() { GOODBYE_WITHIN } else { SILENCE };
            tokio::select! {
                frame = connection.next_frame(patience) => {
                    let Some(frame) = frame? else { return Ok(None) };
                    if let Some(goodbye) = self.handle(frame, connection) {
                        return Ok(Some(goodbye));
                    }
                }
                () = asked_to_leave(&mut self.leave), if !self.session.is_leaving() => {
                    connection.say(self.session.leave().into_iter().collect());
                }
            }
            if self.session.has_finished() && self.session.is_welcomed() {
                connection.half_close();
            }
        }
    }

    /// Each message in order, and one frame with all there is to say at once; a goodbye is handed back.
    fn handle(&mut self, frame: PlayResponse, connection: &Connection) -> Option<Goodbye> {
        let mut replies = Vec::new();
        for message in frame.messages.into_iter().filter_map(|message| message.kind) {
            match message {
                Told::Goodbye(goodbye) => return Some(goodbye),
                Told::Decision(decision) => self.think(decision, connection),
                other => replies.extend(self.session.handle(other)),
            }
        }
        connection.say(replies);
        None
    }

    /// Answers the decision as soon as the policy has found what, and reads on meanwhile.
    fn think(&self, decision: Decision, connection: &Connection) {
        let policy = self.policy;
        let outbox = connection.outbox();
        tokio::task::spawn_blocking(move || {
            outbox.say(Say::Answer(Answer {
                assignment: decision.assignment,
                decision: decision.decision,
                choice: Some(policy(&decision)),
                ..Default::default()
            }));
        });
    }

    fn after_goodbye(&mut self, goodbye: &Goodbye) -> End {
        if goodbye.code() == GoodbyeCode::ResumeInvalid {
            self.session.forget();
        }
        let why = format!("The arena says goodbye: {}", goodbye.sentence);
        match self.verdict(goodbye) {
            Some(code) => {
                tell(why);
                End::Exit(code)
            }
            None => End::Again { why, after: Duration::from_millis(goodbye.come_back_after_ms.into()) },
        }
    }

    /// How the program ends after a goodbye; `None` if the bot comes back.
    fn verdict(&self, goodbye: &Goodbye) -> Option<ExitCode> {
        let shuts_down = goodbye.code() == GoodbyeCode::ShuttingDown;
        let leaves = self.is_leaving() && (self.session.is_idle() || shuts_down);
        match goodbye.code() {
            GoodbyeCode::Done => Some(ExitCode::SUCCESS),
            GoodbyeCode::Replaced => Some(ExitCode::from(REFUSED)),
            _ if leaves => Some(ExitCode::SUCCESS),
            _ if goodbye.come_back => None,
            _ if shuts_down => Some(ExitCode::SUCCESS),
            _ => Some(ExitCode::from(REFUSED)),
        }
    }

    fn after_loss(&self, status: &Status) -> End {
        let address = &self.settings.address;
        if is_final(status.code()) {
            tell(format_args!("The arena at {address} refuses this bot: {}.", reason(status)));
            return End::Exit(ExitCode::from(REFUSED));
        }
        again(format!("No connection to the arena at {address} ({}).", reason(status)))
    }

    fn is_leaving(&self) -> bool {
        *self.leave.borrow()
    }

    /// Sleeps, but not on when the bot is asked to leave meanwhile.
    async fn rest(&mut self, pause: Duration) {
        let leaving_already = self.is_leaving();
        tokio::select! {
            () = sleep(pause) => {}
            () = asked_to_leave(&mut self.leave), if !leaving_already => {}
        }
    }
}

/// Pauses before the attempts to come back: 0.1 s doubling to 10 s.
#[derive(Default)]
struct Backoff {
    failures: u32,
}

impl Backoff {
    fn next_pause(&mut self) -> Duration {
        let doubled = 2_u32.saturating_pow(self.failures);
        self.failures += 1;
        Duration::from_millis(100).saturating_mul(doubled).min(Duration::from_secs(10))
    }
}

fn again(why: impl Into<String>) -> End {
    End::Again { why: why.into(), after: Duration::ZERO }
}

/// Statuses that another attempt would only meet again.
fn is_final(code: Code) -> bool {
    matches!(
        code,
        Code::Unauthenticated
            | Code::PermissionDenied
            | Code::FailedPrecondition
            | Code::InvalidArgument
            | Code::Unimplemented
    )
}

async fn asked_to_leave(leave: &mut watch::Receiver<bool>) {
    // An error would mean that nobody catches signals any more; the task that does never ends.
    let _ = leave.wait_for(|leave| *leave).await;
}
