//! What is drawn of deliveries: neighbours put together, so that a drawing has few
//! marks however much was delivered.

use jiff::Timestamp;

use super::reader::{Delivery, Reader};
use crate::connection::ConnectionId;

/// Deliveries to one connection whose offsets follow each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Band {
    /// When the first of them came.
    pub from: Timestamp,
    /// When the last of them came.
    pub to: Timestamp,
    /// The first offset.
    pub first: u64,
    /// The last offset.
    pub last: u64,
    /// The exchange of the first of them.
    pub n: u64,
    /// How many they are.
    pub deliveries: u64,
    /// To whom.
    pub conn: ConnectionId,
}

impl Reader {
    /// What was delivered in a time, put together where offsets follow each other and
    /// the parts came within one of `columns` equal pieces of it. A gap, a replay and
    /// another member end a band. What does not fit into `most` is put together without
    /// regard to the pieces; where that is still too much the oldest are left out: how
    /// many deliveries these are.
    pub fn bands(
        &self,
        (from, to): (Timestamp, Timestamp),
        columns: u32,
        most: usize,
    ) -> (Vec<Band>, u64) {
        let length = to.duration_since(from).as_nanos().max(1);
        let column = |at: Timestamp| {
            at.duration_since(from)
                .as_nanos()
                .saturating_mul(columns.into())
                / length
        };
        let drawn = || {
            self.deliveries
                .iter()
                .filter(|one| one.moment.to >= from && one.moment.to <= to)
        };
        let mut bands = joined(drawn(), |band, next| {
            column(band.from) == column(next.moment.to)
        });
        if bands.len() > most {
            bands = joined(drawn(), |_, _| true);
        }
        let hidden = bands.len().saturating_sub(most);
        let left_out = bands.drain(..hidden).map(|band| band.deliveries).sum();
        (bands, left_out)
    }
}

fn joined<'a>(
    deliveries: impl Iterator<Item = &'a Delivery>,
    near: impl Fn(&Band, &Delivery) -> bool,
) -> Vec<Band> {
    let mut bands = Vec::<Band>::new();
    for one in deliveries {
        let (at, conn) = (one.moment.to, one.moment.conn);
        match bands.last_mut() {
            Some(band)
                if band.last.checked_add(1) == Some(one.first)
                    && band.conn == conn
                    && near(band, one) =>
            {
                (band.last, band.to) = (one.last, at);
                band.deliveries += 1;
            }
            _ => bands.push(Band {
                from: at,
                to: at,
                first: one.first,
                last: one.last,
                n: one.moment.n,
                deliveries: 1,
                conn,
            }),
        }
    }
    bands
}
