use parallax_tests::{all_recordings, parallax, python};
use serde_json::{Value, json};

use super::{export, inspected, path, scratch, stem, succeeded, values};

/// Rows as an engine that is not ours reads them, with the messages' own fields.
const READ: &str = "
import duckdb, json, sys
rows = duckdb.sql(f\"\"\"
    select n, conn, epoch_ns(time)::varchar as time, dialect, command, code, status, error,
           latency_us, request_consumer, request_stream, request_partition_id, request_value::varchar as request_value,
           request_auto_commit,
           response_current_offset::varchar as response_current_offset, verdict, findings, undecoded,
           source, [[m['offset']::varchar, m.id, m.checksum::varchar,
           (epoch_ns(m.timestamp) // 1000)::varchar, m.payload_length::varchar]
           for m in messages] as messages
    from read_parquet('{sys.argv[1]}') order by n\"\"\")
names = rows.columns
for row in rows.fetchall():
    print(json.dumps(dict(zip(names, row))))
";

fn text(value: &Value) -> Value {
    match value {
        Value::Null | Value::String(_) => value.clone(),
        other => other.to_string().into(),
    }
}

/// What `inspect --json` says, in the engine's columns.
fn expected(exchange: &Value) -> Value {
    let time: jiff::Timestamp = exchange["time"].as_str().unwrap().parse().unwrap();
    let (request, response) = (&exchange["request"], &exchange["response"]);
    let sent = request["messages"].as_array();
    let messages = response["messages"].as_array().or(sent);
    let message = |one: &Value| {
        let time = match text(&one["timestamp"]) {
            // There is no time yet.
            time if time == "0" => Value::Null,
            time => time,
        };
        let parts = ["offset", "id", "checksum"].map(|name| text(&one[name]));
        json!([
            parts[0],
            parts[1],
            parts[2],
            time,
            text(&one["payload_length"])
        ])
    };
    let is_polled = exchange["command"] == "poll_messages";
    json!({
        "n": exchange["n"],
        "conn": exchange["conn"],
        "time": time.as_nanosecond().to_string(),
        "dialect": exchange["dialect"],
        "command": exchange["command"],
        "code": exchange["code"],
        "status": exchange["status"],
        "error": exchange["error"],
        "latency_us": exchange["latency_us"],
        "request_consumer": if is_polled { text(&request["consumer"]) } else { Value::Null },
        "request_stream": if is_polled { text(&request["stream"]) } else { Value::Null },
        "request_partition_id": if is_polled { request["partition_id"].clone() } else { Value::Null },
        "request_value": text(&request["value"]),
        "request_auto_commit": request["auto_commit"],
        "response_current_offset": text(&response["current_offset"]),
        "verdict": exchange["verdict"],
        "findings": exchange["findings"],
        "undecoded": exchange["undecoded"],
        "source": "proxy-1",
        "messages": messages.into_iter().flatten().map(message).collect::<Vec<_>>(),
    })
}

#[test]
fn an_engine_that_is_not_ours_reads_what_inspect_says() {
    if !python::has("duckdb", "duckdb") {
        return;
    }
    for capture in all_recordings() {
        let name = format!("{}.parquet", stem(&capture));
        let arguments = ["--format", "parquet", "--source", "proxy-1"];
        let file = export(&capture, &name, &arguments);
        let rows: Vec<_> = python::run(READ, &[path(&file)])
            .lines()
            .map(str::to_owned)
            .collect();
        let exchanges = values(&inspected(&capture, &[]));
        assert_eq!(rows.len(), exchanges.len(), "{name}");
        for (mut row, exchange) in values(&rows).into_iter().zip(&exchanges) {
            if row["command"] != "poll_messages" {
                for column in ["request_consumer", "request_stream", "request_partition_id"] {
                    row[column] = Value::Null;
                }
            }
            assert_eq!(row, expected(exchange), "{name}");
        }
    }
}

#[test]
fn many_captures_in_one_folder_are_one_table() {
    if !python::has("duckdb", "duckdb") {
        return;
    }
    let folder = scratch("many");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let to = format!("file://{}/", folder.display());
    let captures = all_recordings();
    let captures = &captures[..3];
    for source in ["proxy-1", "proxy-2"] {
        for capture in captures {
            succeeded(&parallax(&[
                "export",
                path(capture),
                "--format",
                "parquet",
                "--source",
                source,
                "--output",
                &to,
            ]));
        }
    }
    let count = "
import duckdb, json, sys
print(json.dumps(duckdb.sql(f\"select source, count(*) from read_parquet('{sys.argv[1]}/*.parquet') group by source order by source\").fetchall()))";
    let counted: Value = serde_json::from_str(&python::run(count, &[path(&folder)])).unwrap();
    let lines: usize = captures
        .iter()
        .map(|capture| inspected(capture, &[]).len())
        .sum();
    assert_eq!(counted, json!([["proxy-1", lines], ["proxy-2", lines]]));
}
