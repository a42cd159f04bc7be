//! The ways through parallax: each from a listener to a server, with what looks at it.

use std::net::SocketAddr;
use std::sync::Arc;

use parallax_captures::{ConnectionId, Exchange, Journal, RouteName};

use super::proxy::ProxyConfig;
use super::route::RouteConfig;
use crate::analyst::Analyst;
use crate::cluster::Listeners;
use crate::findings::Probe;
use crate::mirror::{Mirror, MirrorConfig, MirrorError, MirrorHandle};
use crate::session::SessionEvent;

/// One way.
#[derive(Debug)]
pub(super) struct Way {
    /// Its name, where it has one.
    pub(super) name: Option<RouteName>,
    /// Where clients connect.
    pub(super) listen: SocketAddr,
    /// Of the server, or of the cluster that it is a node of: ways to nodes of one
    /// cluster share it.
    pub(super) analyst: Arc<Analyst>,
    /// What asks the server over HTTP.
    pub(super) mirror: Option<MirrorHandle>,
}

/// All of them, by their numbers in observations.
#[derive(Debug, Default)]
pub(super) struct Ways(Vec<Arc<Way>>);

impl Ways {
    /// What looks at each route. Routes to one server are looked at as one.
    ///
    /// # Errors
    /// A mirror that cannot be set up.
    pub(super) fn of(
        config: &ProxyConfig,
        listens: &[SocketAddr],
        nodes: &Arc<Listeners>,
        journal: &Arc<Journal>,
    ) -> Result<Self, MirrorError> {
        let first_of = |route: &RouteConfig| {
            config
                .routes
                .iter()
                .position(|one| one.is_same_server(route))
        };
        let firsts: Vec<_> = config.routes.iter().map(first_of).collect();
        let has_several = firsts.iter().any(|first| *first != Some(0));
        let mut ways = Self::default();
        for ((route, listen), first) in config.routes.iter().zip(listens).zip(firsts) {
            let known = first.and_then(|first| ways.get(first));
            let analyst = known.map_or_else(
                || {
                    let name = route.server_name().filter(|_| has_several);
                    let analyst = Analyst::new(Arc::clone(journal)).behind(Arc::clone(nodes));
                    let analyst = analyst.muting(config.mutes.clone());
                    Arc::new(analyst.of_server(name.cloned()))
                },
                |way| Arc::clone(&way.analyst),
            );
            let mirror = match &route.http {
                Some(base) => {
                    let mut settings = MirrorConfig::with_tls(
                        base,
                        route.http_credentials.clone(),
                        route.tls.http.as_deref(),
                    )?;
                    settings.route.clone_from(&route.name);
                    settings.upstream = Some(route.upstream.clone());
                    settings.upstream_tls.clone_from(&route.tls.upstream);
                    settings.also.clone_from(&config.mirror_also);
                    Some(Mirror::spawn(settings, Arc::clone(&analyst)))
                }
                None => None,
            };
            ways.0.push(Arc::new(Way {
                name: route.name.clone(),
                listen: *listen,
                analyst,
                mirror,
            }));
        }
        Ok(ways)
    }

    /// What asks over HTTP, with the names of the routes.
    pub(super) fn mirrors(&self) -> Vec<(Option<RouteName>, MirrorHandle)> {
        let mirrors = self.0.iter();
        let mirrors = mirrors.filter_map(|way| Some((way.name.clone(), way.mirror.clone()?)));
        mirrors.collect()
    }

    pub(super) fn get(&self, route: usize) -> Option<Arc<Way>> {
        self.0.get(route).cloned()
    }

    /// Has the questions asked over HTTP that are due now.
    pub(super) fn probe_due(&self, due: impl Fn(&Analyst) -> Vec<Probe>) {
        for (at, way) in self.0.iter().enumerate() {
            let is_same = |other: &Arc<Way>| Arc::ptr_eq(&other.analyst, &way.analyst);
            if !self.0[..at].iter().any(is_same) {
                self.probe_of(way, due(&way.analyst));
            }
        }
    }

    /// By the way that the question's connection came, while that is known; a cluster
    /// says the same on all.
    fn probe_of(&self, way: &Way, probes: Vec<Probe>) {
        for probe in probes {
            let connection = way.analyst.journal().connection(probe.conn);
            let came_by = connection.and_then(|connection| connection.route);
            let of_it = self.0.iter().find(|one| one.name == came_by);
            of_it.map_or(way, AsRef::as_ref).probe(vec![probe]);
        }
    }
}

impl Way {
    /// Has these asked over HTTP, where that can be.
    pub(super) fn probe(&self, probes: Vec<Probe>) {
        for probe in probes {
            match &self.mirror {
                Some(mirror) => mirror.probe(probe),
                None => self.analyst.probed(probe, None),
            }
        }
    }

    /// Records an exchange, and has it put to HTTP where it is one that is.
    pub(super) fn record(&self, mut exchange: Arc<Exchange>) {
        if self.name.is_some() {
            // Nobody else has it yet, so nothing is copied.
            Arc::make_mut(&mut exchange).route.clone_from(&self.name);
        }
        let recorded = self.analyst.record(exchange);
        self.probe(recorded.probes);
        if let Some(mirror) = &self.mirror
            && let Some(exchange) = self.analyst.journal().exchange(recorded.n)
        {
            mirror.poll(&exchange, recorded.held.map(Into::into));
        }
    }

    /// Whom to ask HTTP as from now on.
    pub(super) fn tell_mirror(&self, id: ConnectionId, event: SessionEvent) {
        match (&self.mirror, event) {
            (Some(mirror), SessionEvent::LoggedIn { credentials, .. }) => {
                mirror.login(id, credentials);
            }
            (Some(mirror), SessionEvent::LoggedOut) => mirror.logout(id),
            _ => {}
        }
    }
}
