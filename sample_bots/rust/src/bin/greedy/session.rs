//! One presence of the bot at the arena, over one or more connections: what each message asks for.

use std::collections::HashSet;

use generated::arena::v1::client_message::Kind as Say;
use generated::arena::v1::hello::Comeback;
use generated::arena::v1::server_message::Kind as Told;
use generated::arena::v1::{Assigned, Capacity, GameSupport, Hello, Pong, Ready, SeatEnded, Welcome};

use crate::tell;

/// The version of play.proto that this bot speaks.
const PROTOCOL: u32 = 1;

/// For the arena's operator: the library as Cargo.toml pins it.
const SOFTWARE: &str = "tonic 0.14";

/// Matches that the bot plays at once.
const MATCHES: u32 = 4;

/// What outlives a connection: the way back, and the matches that run.
#[derive(Default)]
pub struct Session {
    resume_token: Option<String>,
    /// Whether the arena has said `welcome` on the present connection.
    welcomed: bool,
    leaving: bool,
    /// Assignments that are not over.
    running: HashSet<u32>,
    /// Assignments that go on and that the arena has still to tell anew after a comeback.
    untold: u32,
}

impl Session {
    /// The first message of a new connection.
    pub fn hello(&self) -> Say {
        Say::Hello(Hello {
            lowest_protocol: PROTOCOL,
            highest_protocol: PROTOCOL,
            bot_version: "1".into(),
            games: vec![GameSupport { game: "caravan".into(), rules_versions: vec![] }],
            capacity: Some(self.capacity()),
            language: "rust".into(),
            software: SOFTWARE.into(),
            comeback: Some(match &self.resume_token {
                Some(token) => Comeback::ResumeToken(token.clone()),
                None => Comeback::Claim(true), // Take over what a program before this one has lost.
            }),
            ..Default::default()
        })
    }

    /// What the message of the arena is answered with, if anything. Kinds that the bot does not need are ignored.
    pub fn handle(&mut self, message: Told) -> Option<Say> {
        match message {
            Told::Welcome(welcome) => return self.welcome(welcome),
            Told::Ping(ping) => return Some(Say::Pong(Pong { id: ping.id })),
            Told::Assigned(assigned) => return Some(self.assigned(&assigned)),
            Told::SeatEnded(ended) => self.seat_ended(ended),
            Told::MatchEnded(ended) => self.over(ended.assignment),
            Told::Withdrawn(withdrawn) => {
                tell(withdrawn.sentence);
                self.over(withdrawn.assignment);
            }
            Told::DecisionClosed(closed) => tell(closed.sentence),
            Told::AnswerIgnored(ignored) => tell(ignored.sentence),
            Told::Warning(warning) => tell(warning.sentence),
            Told::Draining(draining) => {
                tell(format_args!("The arena shuts down within {} ms.", draining.within_ms))
            }
            _ => {}
        }
        None
    }

    /// From now on the bot wants no more matches. The arena is told at once, or right after its next welcome.
    pub fn leave(&mut self) -> Option<Say> {
        self.leaving = true;
        self.welcomed.then(|| Say::Capacity(self.capacity()))
    }

    /// There is no connection any more.
    pub fn disconnected(&mut self) {
        self.welcomed = false;
    }

    /// The next hello does not ask for the matches of this session.
    pub fn forget(&mut self) {
        self.resume_token = None;
        self.running.clear();
        self.untold = 0;
    }

    /// Whether the arena has said `welcome` on the present connection.
    pub fn is_welcomed(&self) -> bool {
        self.welcomed
    }

    /// Whether the bot wants no more matches.
    pub fn is_leaving(&self) -> bool {
        self.leaving
    }

    /// Whether no match runs.
    pub fn is_idle(&self) -> bool {
        self.running.is_empty() && self.untold == 0
    }

    /// Whether the bot wants no more matches and none runs.
    pub fn has_finished(&self) -> bool {
        self.leaving && self.is_idle()
    }

    fn capacity(&self) -> Capacity {
        let matches = if self.leaving { 0 } else { MATCHES };
        Capacity { matches, open_decisions: 1 }
    }

    /// Whatever goes on is told anew behind the welcome; everything else is over.
    fn welcome(&mut self, welcome: Welcome) -> Option<Say> {
        if !welcome.resumed && !self.running.is_empty() {
            tell("The arena does not know this session any more; its matches are void and cost nothing.");
        }
        tell(format_args!("{} plays in session {}.", welcome.bot_version, welcome.session));
        self.running.clear();
        self.untold = welcome.assignments;
        self.resume_token = Some(welcome.resume_token);
        self.welcomed = true;
        if self.leaving { self.leave() } else { None }
    }

    fn assigned(&mut self, assigned: &Assigned) -> Say {
        self.untold = self.untold.saturating_sub(1);
        self.running.insert(assigned.assignment);
        Say::Ready(Ready { assignment: assigned.assignment })
    }

    fn seat_ended(&mut self, ended: SeatEnded) {
        let why = ended.ending.map(|ending| ending.sentence).unwrap_or_default();
        tell(format_args!("A seat is forfeited: {why}"));
        self.over(ended.assignment);
    }

    fn over(&mut self, assignment: u32) {
        self.running.remove(&assignment);
    }
}
