//! Generates the messages and the client from the .proto files in the nearest folder `proto`, here or further up.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let protos = nearest_protos().ok_or("no folder `proto` with the .proto files, here or above")?;
    println!("cargo::rerun-if-changed={}", protos.display());
    let files = protox::compile(["arena/v1/play.proto"], [protos])?;
    tonic_prost_build::configure().build_server(false).include_file("generated.rs").compile_fds(files)?;
    Ok(())
}

fn nearest_protos() -> Option<PathBuf> {
    let here = env::var_os("CARGO_MANIFEST_DIR")?;
    let candidates = Path::new(&here).ancestors().map(|folder| folder.join("proto"));
    candidates.into_iter().find(|protos| protos.join("arena/v1/play.proto").is_file())
}
