//! Connections, sessions, frames.

use parallax_codec::commands::{
    CreatePersonalAccessToken, LoginRegisterWithPat, LoginWithPersonalAccessToken,
};
use parallax_codec::primitives::PollingKind::First;
use parallax_codec::{Dialect, ErrorCode, Reply, Request};

use super::session::{Session, at, reader};
use super::{Scene, SceneError, Stay};
use crate::demo::BROKEN_PARTITION;
use crate::demo::client::{Client, ClientError, version};

/// A client that takes the next frame for the next reply.
pub(super) async fn eviction(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::prepare(scene).await?;
    for _ in 0..2 {
        session.poll(&reader(), (First, 0), 5, false).await?;
    }
    // It reads the reply to its second poll as that to a send, and so on.
    let send = session.batch(BROKEN_PARTITION, 100, 1);
    session.say("send messages", &send).await?;
    session.poll(&reader(), (First, 0), 5, false).await?;
    Ok(session.stay())
}

/// A client of today that is refused by a server of yesterday.
pub(super) async fn status_moved(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::open(scene).await?;
    for _ in 0..3 {
        session.poll(&reader(), (First, 0), 5, false).await?;
    }
    Ok(session.stay())
}

/// A client that asks for the leader and goes there.
pub(super) async fn leader_elsewhere(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::open(scene).await?;
    let cluster = Request::GetClusterMetadata;
    let Reply::ClusterMetadata(cluster) = session.must("ask for the leader", &cluster).await?
    else {
        return Ok(Stay::over());
    };
    if let Some(leader) = cluster.nodes.iter().find(|node| node.role == 0) {
        let line = format!(
            "the leader is {}:{}, going there",
            leader.ip, leader.tcp_port
        );
        session.tell(line).await;
    }
    Ok(Stay::over())
}

/// A producer that sends once more when it did not hear.
pub(super) async fn duplicate_send(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::open(scene).await?;
    session.create().await?;
    let send = session.batch(BROKEN_PARTITION, 0, 5);
    let lost = session.say("send messages", &send).await;
    if lost.is_ok() {
        return Ok(session.stay());
    }
    let line = "send failed: the connection is gone, sending again".to_owned();
    session.tell(line).await;
    drop(session);
    let mut session = Session::open(scene).await?;
    session.must("send messages", &send).await?;
    session.poll(&reader(), (First, 0), 10, false).await?;
    Ok(session.stay())
}

/// A producer that waits until it is heard.
pub(super) async fn retries(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::open(scene).await?;
    session.create().await?;
    let send = session.batch(BROKEN_PARTITION, 0, 5);
    session.say("send messages", &send).await?;
    Ok(session.stay())
}

/// Four connections with one token.
pub(super) async fn pat_refused(scene: &mut Scene<'_>) -> Result<Stay, SceneError> {
    let mut session = Session::open(scene).await?;
    let create = Request::CreatePersonalAccessToken(CreatePersonalAccessToken {
        name: "sink".to_owned(),
        expiry: 0,
    });
    let Reply::RawPersonalAccessToken(created) = session.must("create a token", &create).await?
    else {
        return Ok(Stay::over());
    };
    drop(session);
    for _ in 0..4 {
        let client = Client::connect(scene.server, scene.dialect).await;
        let mut client = client.map_err(at("connect"))?;
        let token = created.token.clone();
        let login = match scene.dialect {
            Dialect::Classic => {
                Request::LoginWithPersonalAccessToken(LoginWithPersonalAccessToken { token })
            }
            Dialect::Vsr => Request::LoginRegisterWithPat(LoginRegisterWithPat {
                version: version(),
                token,
                context: None,
            }),
        };
        let said = match client.ask(&login).await {
            Ok(_) => "log in by token: done".to_owned(),
            Err(ClientError::Refused(ErrorCode(code))) => format!("log in by token failed: {code}"),
            Err(ClientError::Evicted(reason)) => {
                format!("log in by token failed: {}", reason.name())
            }
            Err(error) => return Err(at("log in by token")(error)),
        };
        (scene.log)(said);
        tokio::time::sleep(scene.pace).await;
    }
    Ok(Stay::over())
}
