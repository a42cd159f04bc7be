use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use parallax_tests::{program, python, recording};

use super::{path, scratch};

const SECRET: &str = "canary-secret-key-77";

/// A server that speaks S3 until its input ends, then brings what it was given.
const SERVE: &str = "
import boto3, os, sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
endpoint = f'http://{host}:{port}'
s3 = boto3.client('s3', endpoint_url=endpoint, region_name='eu-central-1',
                  aws_access_key_id='key', aws_secret_access_key='other')
s3.create_bucket(Bucket='captures', CreateBucketConfiguration={'LocationConstraint': 'eu-central-1'})
print(endpoint, flush=True)
sys.stdin.read()
for one in s3.list_objects_v2(Bucket='captures').get('Contents', []):
    s3.download_file('captures', one['Key'], os.path.join(sys.argv[1], one['Key'].replace('/', '_')))
    print(one['Key'], flush=True)
server.stop()
";

#[test]
fn an_export_to_a_bucket_arrives_whole_under_a_name_of_its_own() {
    if !python::has("moto.server, boto3", "moto[server]") {
        return;
    }
    let folder = scratch("bucket");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut server = Command::new(python::interpreter())
        .args(["-c", SERVE, path(&folder)])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut told = BufReader::new(server.stdout.take().unwrap());
    let mut endpoint = String::new();
    told.read_line(&mut endpoint).unwrap();
    let capture = recording("server-0.8.0_sdk-0.10.0/polls.pcap");
    let export = |output: &str, secret: &str| {
        Command::new(program())
            .args([
                "export",
                path(&capture),
                "--format",
                "parquet",
                "--output",
                output,
            ])
            .args(["--source", "proxy-1"])
            .env("AWS_ENDPOINT", endpoint.trim())
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_REGION", "eu-central-1")
            .env("AWS_ACCESS_KEY_ID", "key")
            .env("AWS_SECRET_ACCESS_KEY", secret)
            .env("PARALLAX_LOG", "trace")
            .output()
            .unwrap()
    };
    for _ in 0..2 {
        let ran = export("s3://captures/daily/", SECRET);
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.success(), "{said}");
        assert!(
            said.contains("writing s3://captures/daily/proxy-1-"),
            "{said}"
        );
        assert!(!said.contains(SECRET), "{said}");
    }
    let ran = export("s3://elsewhere/key.parquet", SECRET);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert_eq!(ran.status.code(), Some(2), "{said}");
    assert!(
        said.contains("s3://elsewhere/key.parquet") && !said.contains(SECRET),
        "{said}"
    );
    server.stdin.take().unwrap().flush().unwrap();
    let keys: Vec<_> = told.lines().map(Result::unwrap).collect();
    assert!(server.wait().unwrap().success());
    assert_eq!(keys.len(), 2, "{keys:?}");
    for key in keys {
        let there = std::fs::read(folder.join(key.replace('/', "_"))).unwrap();
        assert!(
            there.starts_with(b"PAR1") && there.ends_with(b"PAR1"),
            "{key}"
        );
    }
}
