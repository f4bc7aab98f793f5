//! Greedy for Caravan: the next step of the job that pays best. docs/bots/greedy.md states its policy exactly.

mod client;
mod connection;
mod policy;
mod session;
mod settings;

use std::fmt::Display;
use std::io::{self, Write};
use std::process::{self, ExitCode};

use generated::arena::games::caravan::v1::Observation;
use generated::arena::v1::answer::Choice;
use generated::arena::v1::{Action, Decision, action, observation};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use crate::client::Client;
use crate::settings::Settings;

/// The environment does not say where the arena is, or how to reach it.
const USAGE: u8 = 2;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let settings = match Settings::from_env() {
        Ok(settings) => settings,
        Err(problem) => {
            tell(problem);
            return ExitCode::from(USAGE);
        }
    };
    match leave_on_signal() {
        Ok(leave) => Client::new(settings, choose, leave).run().await,
        Err(error) => {
            tell(format_args!("Signals cannot be caught: {error}."));
            ExitCode::FAILURE
        }
    }
}

/// What the bot answers to a decision: the same whenever the position is the same.
fn choose(decision: &Decision) -> Choice {
    match caravan(decision) {
        Some(view) => Choice::Action(Action { game: Some(action::Game::Caravan(policy::best_action(view))) }),
        None => Choice::Index(0), // Not a game that `hello` names; any legal action will do.
    }
}

fn caravan(decision: &Decision) -> Option<&Observation> {
    match decision.view.as_ref()?.game.as_ref()? {
        observation::Game::Caravan(view) => Some(view),
        _ => None, // Games are added to the protocol now and then.
    }
}

/// Turns true with the first SIGINT or SIGTERM. The second one ends the program at once.
fn leave_on_signal() -> io::Result<watch::Receiver<bool>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let (sender, leave) = watch::channel(false);
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            if sender.send_replace(true) {
                tell("Ended at once; running matches count as left.");
                process::exit(0);
            }
        }
    });
    Ok(leave)
}

/// One line on standard error. That nobody reads it must not end the bot.
fn tell(sentence: impl Display) {
    let _ = writeln!(io::stderr(), "greedy: {sentence}");
}
