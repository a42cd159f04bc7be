//! A consumer group: members, and who reads which partition.

use std::collections::BTreeSet;

use parallax_codec::Dialect;

use super::slots::{Named, Slots};

/// How long a member may keep a partition that another waits for, without
/// committing what it polled, in microseconds: the default of servers 0.8.0 and
/// 0.9.0-edge.5 (`config.toml`, `rebalancing_timeout`).
const REVOCATION_TIMEOUT_US: u64 = 30_000_000;

/// A consumer group.
#[derive(Debug)]
pub(super) struct Group {
    name: String,
    /// How many partitions are shared out.
    pub(super) partitions_count: u32,
    /// Counts how often they were shared out anew; members ask for it in the VSR
    /// dialect (code 606).
    pub(super) generation: u64,
    pub(super) members: Slots<Member>,
}

/// A client in a group.
#[derive(Debug)]
pub(super) struct Member {
    /// Its number in replies.
    pub(super) id: u32,
    /// The connection.
    pub(super) client: u32,
    /// Its partitions, in the order of its turns.
    pub(super) partitions: Vec<u32>,
    turn: usize,
    revocations: Vec<Revocation>,
}

/// A partition that a member gives up once what it polled is committed.
#[derive(Debug, Clone, Copy)]
struct Revocation {
    partition: u32,
    target_slot: u32,
    target_member: u32,
    since: u64,
}

impl Named for Group {
    fn name(&self) -> &str {
        &self.name
    }
}

impl Group {
    /// A group without members.
    pub(super) fn new(name: String, partitions_count: u32) -> Self {
        Self {
            name,
            partitions_count,
            generation: 0,
            members: Slots::default(),
        }
    }

    /// The member that is this client.
    pub(super) fn member_of(&mut self, client: u32) -> Option<&mut Member> {
        let mut members = self.members.iter_mut().map(|(_, member)| member);
        members.find(|member| member.client == client)
    }

    /// Lets a client in; once in, it stays as it is. Of what others have too much,
    /// server 0.8.0 gives one partition to each member that has none, 0.9.0-edge.5
    /// all of it.
    pub(super) fn join(&mut self, client: u32, dialect: Dialect, now: u64) {
        if self.member_of(client).is_some() {
            return;
        }
        self.generation += 1;
        let last = self.members.iter().map(|(_, member)| member.id).max();
        self.members.insert(Member {
            id: last.map_or(0, |last| last + 1),
            client,
            partitions: Vec::new(),
            turn: 0,
            revocations: Vec::new(),
        });
        self.give_away_unassigned();
        let each = match dialect {
            Dialect::Classic => 1,
            Dialect::Vsr => self.partitions_count as usize,
        };
        self.ask_back_excess(each, now);
    }

    /// Lets a client go and shares all partitions out anew. Returns the
    /// partitions it had, or `None` when it was no member.
    pub(super) fn leave(&mut self, client: u32) -> Option<Vec<u32>> {
        let found = self.members.iter().find(|(_, m)| m.client == client);
        let slot = found.map(|(slot, _)| slot)?;
        let member = self.members.remove(slot)?;
        self.share_out();
        Some(member.partitions)
    }

    /// Shares another number of partitions out.
    pub(super) fn resize(&mut self, partitions_count: u32) {
        self.partitions_count = partitions_count;
        self.share_out();
    }

    /// Hands over every partition that waits for it and may go: `settled` tells
    /// whether what was polled of it is committed.
    pub(super) fn settle(&mut self, now: u64, settled: impl Fn(u32) -> bool) {
        let slots: Vec<u32> = self.members.iter().map(|(slot, _)| slot).collect();
        for slot in slots {
            let Some(member) = self.members.get_mut(slot) else {
                continue;
            };
            let (due, waiting) = member.revocations.iter().partition(|revocation| {
                settled(revocation.partition)
                    || now.saturating_sub(revocation.since) >= REVOCATION_TIMEOUT_US
            });
            member.revocations = waiting;
            let due: Vec<Revocation> = due;
            for revocation in due {
                self.hand_over(slot, revocation);
            }
        }
    }

    fn hand_over(&mut self, from: u32, revocation: Revocation) {
        if let Some(member) = self.members.get_mut(from) {
            member.partitions.retain(|p| *p != revocation.partition);
        }
        match self.members.get_mut(revocation.target_slot) {
            Some(target) if target.id == revocation.target_member => {
                target.partitions.push(revocation.partition);
                self.generation += 1;
            }
            _ => self.share_out(),
        }
    }

    /// In turns, from the first member on.
    fn share_out(&mut self) {
        self.generation += 1;
        let count = self.members.len();
        for (index, (_, member)) in self.members.iter_mut().enumerate() {
            member.revocations.clear();
            member.partitions = (0..self.partitions_count)
                .skip(index)
                .step_by(count)
                .collect();
        }
    }

    fn give_away_unassigned(&mut self) {
        let assigned: BTreeSet<u32> = self
            .members
            .iter()
            .flat_map(|(_, member)| member.partitions.iter().copied())
            .collect();
        let unassigned = (0..self.partitions_count).filter(|p| !assigned.contains(p));
        let mut idle: Vec<&mut Member> = self
            .members
            .iter_mut()
            .map(|(_, member)| member)
            .filter(|member| member.partitions.is_empty())
            .collect();
        let count = idle.len();
        for (turn, partition) in unassigned.enumerate() {
            if count > 0
                && let Some(member) = idle.get_mut(turn % count)
            {
                member.partitions.push(partition);
            }
        }
    }

    /// Marks what members have too much, from the end of their lists, for members
    /// that have nothing, in turns, at most so many for each of them.
    fn ask_back_excess(&mut self, each: usize, now: u64) {
        let targets: BTreeSet<u32> = self
            .members
            .iter()
            .flat_map(|(_, member)| member.revocations.iter().map(|r| r.target_slot))
            .collect();
        let idle: Vec<(u32, u32)> = self
            .members
            .iter()
            .filter(|(slot, m)| m.partitions.is_empty() && !targets.contains(slot))
            .map(|(slot, member)| (slot, member.id))
            .collect();
        let mut takers = idle.iter().cycle().take(idle.len() * each);
        let count = self.members.len().max(1);
        let partitions = self.partitions_count as usize;
        let fair = partitions / count;
        let mut richer = partitions % count;
        for (_, member) in self.members.iter_mut() {
            let kept = member.kept();
            let allowed = if richer > 0 { fair + 1 } else { fair };
            if kept.len() > fair {
                richer = richer.saturating_sub(1);
            }
            for partition in kept.iter().rev().take(kept.len().saturating_sub(allowed)) {
                let Some(&(target_slot, target_member)) = takers.next() else {
                    return;
                };
                member.revocations.push(Revocation {
                    partition: *partition,
                    target_slot,
                    target_member,
                    since: now,
                });
            }
        }
    }
}

impl Member {
    /// Whether it may read or commit this partition.
    pub(super) fn has(&self, partition: u32) -> bool {
        self.partitions.contains(&partition)
    }

    /// The partition whose turn it is, if it has any. `advance` moves on to the
    /// next: a poll does, a commit does not. Server 0.8.0 keeps two copies of its
    /// metadata, each with turns of its own, and changes over at every change of a
    /// stream, topic or group, by whomever; here there is one turn.
    pub(super) fn turn(&mut self, advance: bool) -> Option<u32> {
        let kept = self.kept();
        let partition = kept.get(self.turn.checked_rem(kept.len())?).copied();
        if advance {
            self.turn = (self.turn + 1) % kept.len();
        }
        partition
    }

    /// Its partitions without those it gives up: all that it may poll in the VSR
    /// dialect.
    pub(super) fn kept(&self) -> Vec<u32> {
        let asked_back = |p: &u32| self.revocations.iter().any(|r| r.partition == *p);
        let partitions = self.partitions.iter().copied();
        partitions.filter(|p| !asked_back(p)).collect()
    }
}

#[cfg(test)]
mod tests {
    use parallax_codec::Dialect;

    use super::{Group, REVOCATION_TIMEOUT_US};

    fn shares(group: &Group) -> Vec<Vec<u32>> {
        let members = group.members.iter();
        members
            .map(|(_, member)| member.partitions.clone())
            .collect()
    }

    #[test]
    fn the_first_member_gets_all_and_a_leaver_gives_all_back() {
        let mut group = Group::new("g".to_owned(), 3);
        group.join(10, Dialect::Classic, 0);
        assert_eq!(shares(&group), [[0, 1, 2]]);
        group.join(11, Dialect::Classic, 0);
        group.settle(0, |_| true);
        assert_eq!(shares(&group), [vec![0, 1], vec![2]]);
        assert_eq!(group.leave(10), Some(vec![0, 1]));
        assert_eq!(shares(&group), [[0, 1, 2]]);
    }

    #[test]
    fn a_second_member_gets_one_partition_on_0_8_and_its_whole_share_on_0_9() {
        for (dialect, expected) in [
            (Dialect::Classic, [vec![0, 1, 2], vec![3]]),
            (Dialect::Vsr, [vec![0, 1], vec![3, 2]]),
        ] {
            let mut group = Group::new("g".to_owned(), 4);
            group.join(10, dialect, 0);
            group.join(11, dialect, 0);
            group.settle(0, |_| true);
            assert_eq!(shares(&group), expected);
        }
    }

    #[test]
    fn a_partition_moves_only_when_what_was_polled_of_it_is_committed_or_time_is_up() {
        let mut group = Group::new("g".to_owned(), 2);
        group.join(10, Dialect::Classic, 0);
        group.join(11, Dialect::Classic, 5);
        group.settle(6, |_| false);
        assert_eq!(shares(&group), [vec![0, 1], vec![]]);
        let first = group.member_of(10).unwrap();
        let turns: Vec<_> = (0..3).filter_map(|_| first.turn(true)).collect();
        assert_eq!(turns, [0, 0, 0], "no turn for what is given up");
        group.settle(5 + REVOCATION_TIMEOUT_US, |_| false);
        assert_eq!(shares(&group), [[0], [1]]);
    }

    #[test]
    fn a_member_takes_its_partitions_in_turn() {
        let mut group = Group::new("g".to_owned(), 3);
        group.join(10, Dialect::Classic, 0);
        let member = group.member_of(10).unwrap();
        let turns: Vec<_> = (0..4).filter_map(|_| member.turn(true)).collect();
        assert_eq!(turns, [0, 1, 2, 0]);
        assert_eq!(member.turn(false), member.turn(false));
    }
}
