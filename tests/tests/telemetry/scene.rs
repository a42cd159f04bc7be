//! parallax before a stand-in server, and a client that uses it.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use iggy::prelude::*;
use parallax_codec::primitives::Secret;
use parallax_proxy::standin::{Standin, StandinConfig};
use parallax_tests::{Running, get};
use tokio::time::timeout;

/// Long enough for any machine; only reached where something is wrong.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// What must not leave.
pub(crate) const PASSWORD: &str = "canary-password-51";
pub(crate) const PAYLOAD: &str = "canary-payload-52";

pub(crate) struct Scene {
    pub(crate) parallax: Running,
    /// Where clients connect.
    pub(crate) listen: SocketAddr,
    /// Where figures are.
    pub(crate) metrics: SocketAddr,
    _standin: Standin,
}

impl Scene {
    /// Starts both, parallax with these arguments as well.
    pub(crate) async fn start(
        arguments: &[&str],
        change: impl FnOnce(&mut Command) + Send,
    ) -> Self {
        let standin = Standin::start(StandinConfig {
            password: Secret::new(PASSWORD),
            ..StandinConfig::default()
        })
        .await
        .unwrap();
        let (upstream, http) = (standin.tcp.to_string(), format!("http://{}", standin.http));
        let own = [
            "run",
            "--listen",
            "127.0.0.1:0",
            "--ui",
            "127.0.0.1:0",
            "--metrics",
            "127.0.0.1:0",
            "--upstream",
            &upstream,
            "--http",
            &http,
        ];
        let mut parallax = Running::start_with(&[&own, arguments].concat(), change);
        let listening = parallax.line_with("listening");
        let listen = listening.split_whitespace().nth(1).unwrap();
        let metrics = parallax.line_with("metrics");
        let metrics = metrics.split("//").nth(1).unwrap();
        let metrics = metrics.split('/').next().unwrap();
        Self {
            parallax,
            listen: listen.parse().unwrap(),
            metrics: metrics.parse().unwrap(),
            _standin: standin,
        }
    }

    /// The body of what is answered there.
    pub(crate) async fn figures(&self, path: &str) -> String {
        let answer = get(self.metrics, path).await;
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        body.to_owned()
    }

    /// A client pings, has a message sent and polled, and asks three times for what is not
    /// there.
    pub(crate) async fn use_it(&self) {
        let config = TcpClientConfig {
            server_address: self.listen.to_string(),
            ..TcpClientConfig::default()
        };
        let client = TcpClient::create(Arc::new(config)).unwrap();
        Client::connect(&client).await.unwrap();
        client.login_user("iggy", PASSWORD).await.unwrap();
        client.ping().await.unwrap();
        let (stream, topic) = (named("otel"), named("metrics"));
        client.create_stream("otel").await.unwrap();
        client
            .create_topic(
                &stream,
                "metrics",
                1,
                CompressionAlgorithm::None,
                None,
                IggyExpiry::NeverExpire,
                MaxTopicSize::ServerDefault,
            )
            .await
            .unwrap();
        let message = IggyMessage::builder()
            .payload(PAYLOAD.into())
            .build()
            .unwrap();
        let partition = Partitioning::partition_id(0);
        client
            .send_messages(&stream, &topic, &partition, &mut [message])
            .await
            .unwrap();
        let first = PollingStrategy::first();
        let alone = Consumer::default();
        let polled = client.poll_messages(&stream, &topic, Some(0), &alone, &first, 1, false);
        assert_eq!(polled.await.unwrap().messages.len(), 1);
        for _ in 0..3 {
            let (nowhere, nothing) = (named("nowhere"), named("nothing"));
            let refused =
                client.poll_messages(&nowhere, &nothing, Some(0), &alone, &first, 1, false);
            assert!(refused.await.is_err());
        }
        Client::disconnect(&client).await.unwrap();
    }

    /// The figures, once a line of them begins like this.
    pub(crate) async fn figures_with(&self, line: &str) -> String {
        let told = async {
            loop {
                let figures = self.figures("/metrics").await;
                if figures.lines().any(|one| one.starts_with(line)) {
                    return figures;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(PATIENCE, told)
            .await
            .unwrap_or_else(|_| panic!("no figure began {line:?}"))
    }
}

fn named(name: &str) -> Identifier {
    Identifier::named(name).unwrap()
}
