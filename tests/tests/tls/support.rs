//! What every test here stands on: two authorities' worth of files, and clients.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use parallax_captures::Connection;
use parallax_proxy::live::{Proxy, ProxyConfig, RouteConfig};
pub(crate) use parallax_proxy::tls::Identity;
use parallax_proxy::tls::{
    DownstreamFiles, DownstreamTls, Roots, Tls, UpstreamOptions, UpstreamTls,
};
use parallax_tests::{Authority, Folder, Issued, provider};
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{sleep, timeout};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Longer than anything here takes; reached only when a test fails.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// An authority and its files.
pub(crate) struct World {
    pub(crate) folder: Folder,
    pub(crate) authority: Authority,
}

impl World {
    pub(crate) fn new(test: &str) -> Self {
        let folder = Folder::new(&format!("tls-{test}"));
        let authority = Authority::new("the tests' authority");
        folder.write("ca.pem", &authority.pem);
        Self { folder, authority }
    }

    /// A certificate for localhost and its address.
    pub(crate) fn local(&self) -> Issued {
        self.authority.issue(&["localhost", "127.0.0.1"])
    }

    /// Its files, by a name of their own.
    pub(crate) fn identity(&self, name: &str, issued: &Issued) -> Identity {
        let file = |end: &str, text| self.folder.write(&format!("{name}.{end}"), text);
        Identity {
            certificate: file("pem", &issued.certificate),
            key: file("key", &issued.key),
        }
    }

    /// TLS with clients, by this certificate.
    pub(crate) fn downstream(&self, issued: &Issued) -> Arc<DownstreamTls> {
        self.serving(issued, None)
    }

    /// The same, for clients with a certificate by the authority in this file.
    pub(crate) fn serving(&self, issued: &Issued, client_ca: Option<&str>) -> Arc<DownstreamTls> {
        let Identity { certificate, key } = self.identity("served", issued);
        let files = DownstreamFiles {
            certificate,
            key,
            client_ca: client_ca.map(|name| self.folder.file(name)),
        };
        Arc::new(DownstreamTls::load(files).unwrap())
    }

    /// TLS with the server, which the tests' authority vouches for.
    pub(crate) fn upstream(&self) -> Arc<UpstreamTls> {
        self.dialling(UpstreamOptions::default())
    }

    /// The same, where not told otherwise.
    pub(crate) fn dialling(&self, options: UpstreamOptions) -> Arc<UpstreamTls> {
        let roots = match options.roots {
            Roots::System => Roots::Given(self.folder.file("ca.pem")),
            roots => roots,
        };
        Arc::new(UpstreamTls::load(UpstreamOptions { roots, ..options }).unwrap())
    }

    /// TLS on both sides.
    pub(crate) fn both(&self) -> Tls {
        Tls {
            downstream: Some(self.downstream(&self.local())),
            upstream: Some(self.upstream()),
            http: None,
        }
    }

    /// A client that trusts the tests' authority and asks for localhost.
    pub(crate) async fn client(&self, address: SocketAddr) -> TlsStream<TcpStream> {
        self.client_for(address, "localhost").await.unwrap()
    }

    pub(crate) async fn client_for(
        &self,
        address: SocketAddr,
        name: &str,
    ) -> std::io::Result<TlsStream<TcpStream>> {
        connect(address, name, client_config(&self.authority, None)).await
    }
}

/// A client that trusts an authority, and shows a certificate.
pub(crate) fn client_config(trusted: &Authority, shown: Option<&Issued>) -> ClientConfig {
    let builder = ClientConfig::builder_with_provider(provider())
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(trusted.roots());
    match shown {
        None => builder.with_no_client_auth(),
        Some(shown) => builder
            .with_client_auth_cert(shown.chain(), shown.private_key())
            .unwrap(),
    }
}

pub(crate) async fn connect(
    address: SocketAddr,
    name: &str,
    config: ClientConfig,
) -> std::io::Result<TlsStream<TcpStream>> {
    let stream = TcpStream::connect(address).await?;
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let connector = TlsConnector::from(Arc::new(config));
    soon(connector.connect(name, stream)).await
}

pub(crate) async fn proxy(upstream: SocketAddr, tls: Tls) -> Proxy {
    started(upstream, None, tls).await
}

/// With a mirror, at this base URL.
pub(crate) async fn mirrored(upstream: SocketAddr, http: String, tls: Tls) -> Proxy {
    started(upstream, Some(http), tls).await
}

async fn started(upstream: SocketAddr, http: Option<String>, tls: Tls) -> Proxy {
    let route = RouteConfig {
        http,
        tls,
        ..RouteConfig::before(upstream)
    };
    let config = ProxyConfig {
        routes: vec![route],
        ..ProxyConfig::before(upstream)
    };
    Proxy::start(config).await.unwrap()
}

/// A server that sends back what it gets, to the end.
pub(crate) async fn echo() -> SocketAddr {
    let (listener, address) = listen().await;
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut reader, mut writer) = stream.split();
                tokio::io::copy(&mut reader, &mut writer).await?;
                writer.shutdown().await
            });
        }
    });
    address
}

pub(crate) async fn listen() -> (TcpListener, SocketAddr) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

pub(crate) async fn read(from: &mut (impl tokio::io::AsyncRead + Unpin), count: usize) -> Vec<u8> {
    let mut bytes = vec![0; count];
    soon(from.read_exact(&mut bytes)).await.unwrap();
    bytes
}

pub(crate) async fn soon<F: Future>(what: F) -> F::Output {
    timeout(PATIENCE, what)
        .await
        .expect("it did not happen in time")
}

/// The first connection once `condition` holds of it.
pub(crate) async fn connection(
    proxy: &Proxy,
    condition: impl Fn(&Connection) -> bool,
) -> Connection {
    soon(async {
        loop {
            let all = proxy.journal().connections();
            if let Some(found) = all.into_iter().find(&condition) {
                return found;
            }
            sleep(Duration::from_millis(5)).await;
        }
    })
    .await
}

/// Why the only connection ended.
pub(crate) async fn why(proxy: &Proxy) -> String {
    let closed = connection(proxy, |one| one.closed.is_some()).await;
    closed.closed.unwrap().1
}
