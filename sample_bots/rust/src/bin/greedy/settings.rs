//! Where the arena is and who the bot is, from the environment.

use std::env;
use std::error::Error;
use std::fs;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};

/// The arena as one bot reaches it.
pub struct Settings {
    /// `host:port` or `unix:///path`, for messages to people.
    pub address: String,
    /// The same with TLS and keepalive, ready to connect.
    pub endpoint: Endpoint,
    /// The metadata `authorization`; none on a socket that is itself the bot's identity.
    pub authorization: Option<MetadataValue<Ascii>>,
}

impl Settings {
    /// What the ARENA_ variables say; the error is a sentence for the user.
    pub fn from_env() -> Result<Self, String> {
        let address = variable("ARENA_ADDRESS")
            .ok_or("ARENA_ADDRESS is not set: give the arena's host:port or unix:///path in it.")?;
        let endpoint = endpoint_at(&address)?
            .connect_timeout(Duration::from_secs(10))
            .http2_keep_alive_interval(Duration::from_secs(30))
            .keep_alive_timeout(Duration::from_secs(60))
            .keep_alive_while_idle(true);
        let authorization = variable("ARENA_TOKEN").map(authorization).transpose()?;
        Ok(Self { address, endpoint, authorization })
    }
}

/// The value of a variable that is set and not empty.
fn variable(name: &str) -> Option<String> {
    env::var(name).ok().filter(|value| !value.is_empty())
}

fn endpoint_at(address: &str) -> Result<Endpoint, String> {
    let malformed = || format!("ARENA_ADDRESS is {address}: it must be host:port or unix:///path.");
    if address.starts_with("unix:/") {
        return Endpoint::from_shared(address.to_owned()).map_err(|_| malformed());
    }
    let tls = tls_from_env()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let endpoint = Endpoint::from_shared(format!("{scheme}://{address}")).ok().filter(names_a_port);
    let endpoint = endpoint.ok_or_else(malformed)?;
    match tls {
        Some(tls) => endpoint.tls_config(tls).map_err(|error| {
            format!("The certificates of the ARENA_TLS variables cannot be used ({}).", cause(&error))
        }),
        None => Ok(endpoint),
    }
}

fn names_a_port(endpoint: &Endpoint) -> bool {
    let uri = endpoint.uri();
    uri.port_u16().is_some() && uri.host().is_some_and(|host| !host.is_empty())
}

/// How the connection is encrypted; `None`: not at all.
fn tls_from_env() -> Result<Option<ClientTlsConfig>, String> {
    let authorities = pem("ARENA_TLS_CA", "CERTIFICATE")?;
    let identity = match (pem("ARENA_TLS_CERT", "CERTIFICATE")?, pem("ARENA_TLS_KEY", "PRIVATE KEY")?) {
        (Some(certificate), Some(key)) => Some(Identity::from_pem(certificate, key)),
        (None, None) => None,
        _ => return Err("ARENA_TLS_CERT and ARENA_TLS_KEY belong together: set both, or neither.".into()),
    };
    let wanted = variable("ARENA_TLS").is_some_and(|value| value == "1");
    if !wanted && authorities.is_none() && identity.is_none() {
        return Ok(None);
    }
    let tls = match authorities {
        Some(authorities) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(authorities)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    Ok(Some(match identity {
        Some(identity) => tls.identity(identity),
        None => tls,
    }))
}

/// What the file holds that a variable names: PEM, with at least one part of this `kind`.
fn pem(name: &str, kind: &str) -> Result<Option<String>, String> {
    let Some(path) = variable(name) else {
        return Ok(None);
    };
    match fs::read_to_string(&path) {
        Ok(pem) if pem.contains(&format!("{kind}-----")) => Ok(Some(pem)),
        Ok(_) => Err(format!("{name} names {path}, which holds no {kind} in PEM form.")),
        Err(error) => Err(format!("{name} names {path}, which cannot be read: {error}.")),
    }
}

fn authorization(token: String) -> Result<MetadataValue<Ascii>, String> {
    let mut value: MetadataValue<Ascii> =
        format!("Bearer {token}").parse().map_err(|_| "ARENA_TOKEN holds characters that cannot be sent.")?;
    value.set_sensitive(true);
    Ok(value)
}

/// What an error of the library tells a person: the innermost cause, which it hides behind "transport error".
pub fn cause(error: &dyn Error) -> String {
    match error.source() {
        Some(source) => cause(source),
        None => error.to_string(),
    }
}
