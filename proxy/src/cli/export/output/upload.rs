//! Bytes that go to an address, in parts, while they are made.

use std::io::{self, Write};

use anyhow::{Context as _, anyhow};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt as _, WriteMultipart};
use reqwest::Url;
use tokio::runtime::Runtime;

use crate::limits::{EXPORT_PART_BYTES, EXPORT_PARTS_IN_FLIGHT};

/// An upload that is under way. Nothing is there under the address's name before it is
/// finished, and nothing is left where it is not.
pub(in super::super) struct Upload {
    runtime: Runtime,
    parts: WriteMultipart,
    address: String,
}

impl Upload {
    /// Begins at `file:///path` or `s3://bucket/key`. Credentials, region and endpoint
    /// of S3 are those of the environment (`AWS_ACCESS_KEY_ID` …).
    pub(super) fn begin(address: &str) -> anyhow::Result<Self> {
        let url = Url::parse(address).with_context(|| format!("{address} is no address"))?;
        let cannot = || format!("cannot write to {address}");
        let path = Path::from_url_path(url.path()).with_context(cannot)?;
        let store: Box<dyn ObjectStore> = match url.scheme() {
            "s3" => {
                let s3 = AmazonS3Builder::from_env().with_url(address);
                Box::new(s3.build().with_context(cannot)?)
            }
            _ => Box::new(LocalFileSystem::new()),
        };
        Self::to(&*store, &path, address)
    }

    fn to(store: &dyn ObjectStore, path: &Path, address: &str) -> anyhow::Result<Self> {
        let runtime = Runtime::new().context("cannot start the runtime")?;
        let upload = runtime.block_on(store.put_multipart(path));
        let upload = upload.with_context(|| format!("cannot write to {address}"))?;
        let parts = WriteMultipart::new_with_chunk_size(upload, EXPORT_PART_BYTES);
        Ok(Self {
            runtime,
            parts,
            address: address.to_owned(),
        })
    }

    pub(super) fn finish(self) -> anyhow::Result<()> {
        let done = self.runtime.block_on(self.parts.finish());
        done.map(drop)
            .with_context(|| format!("cannot write to {}", self.address))
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.parts.wait_for_capacity(EXPORT_PARTS_IN_FLIGHT);
        let room = self.runtime.block_on(room);
        room.map_err(|error| io::Error::other(anyhow!(error).context(self.address.clone())))?;
        // Parts are sent by tasks of the runtime.
        let _within = self.runtime.enter();
        self.parts.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn bytes_arrive_whole_and_not_before_the_end() {
        let store = InMemory::new();
        let path = Path::from("bucket/capture.parquet");
        let mut upload = Upload::to(&store, &path, "memory").unwrap();
        let bytes: Vec<u8> = (0..3 * EXPORT_PART_BYTES)
            .map(|n| n.to_le_bytes()[1])
            .collect();
        for part in bytes.chunks(1_000_003) {
            upload.write_all(part).unwrap();
        }
        let runtime = Runtime::new().unwrap();
        assert!(runtime.block_on(store.head(&path)).is_err());
        upload.finish().unwrap();
        let there = runtime.block_on(async { store.get(&path).await?.bytes().await });
        assert_eq!(there.unwrap(), bytes);
    }
}
