//! TLS before something that speaks none.

use std::net::SocketAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::server::WebPkiClientVerifier;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use crate::{Authority, Issued, provider};

/// Ends TLS, and passes on what was in it.
pub struct TlsServer {
    /// Where it listens.
    pub address: SocketAddr,
}

impl TlsServer {
    /// Before `target`, with this certificate.
    pub async fn before(target: SocketAddr, issued: &Issued) -> Self {
        Self::start(target, Self::config(issued, None)).await
    }

    /// The same, for clients with a certificate by this authority alone.
    pub async fn asking(target: SocketAddr, issued: &Issued, clients: &Authority) -> Self {
        Self::start(target, Self::config(issued, Some(clients))).await
    }

    /// What a server of the library is told.
    pub fn config(issued: &Issued, clients: Option<&Authority>) -> Arc<ServerConfig> {
        let builder = ServerConfig::builder_with_provider(provider())
            .with_safe_default_protocol_versions()
            .expect("it has some");
        let builder = match clients {
            None => builder.with_no_client_auth(),
            Some(authority) => {
                let roots = authority.roots();
                let verifier = WebPkiClientVerifier::builder_with_provider(roots, provider());
                builder.with_client_cert_verifier(verifier.build().expect("it has roots"))
            }
        };
        let config = builder.with_single_cert(issued.chain(), issued.private_key());
        Arc::new(config.expect("they are of each other"))
    }

    async fn start(target: SocketAddr, config: Arc<ServerConfig>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("it is bound");
        let acceptor = TlsAcceptor::from(config);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                tokio::spawn(async move {
                    let mut client = acceptor.accept(client).await?;
                    let mut server = TcpStream::connect(target).await?;
                    copy_bidirectional(&mut client, &mut server).await
                });
            }
        });
        Self { address }
    }
}
