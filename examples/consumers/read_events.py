"""Reads public events of Parlance from Kafka, and prints one line for each new bot and each finished reply.

    pip install kafka-python
    python read_events.py GROUP BROKER...
"""

import json
import signal
import sys

from kafka import KafkaConsumer

group, *brokers = sys.argv[1:]
consumer = KafkaConsumer(
    "parlance.bots",
    "parlance.inference",
    bootstrap_servers=brokers,
    group_id=group,
    # Events of transactions that were aborted are left out.
    isolation_level="read_committed",
    auto_offset_reset="earliest",
    # The offset is committed after the event was handled, so no event is lost in a crash.
    enable_auto_commit=False,
)

# An event may come twice. A real consumer keeps the IDs where it keeps its results, in the same transaction.
seen = set()


def handle(event):
    if event["id"] in seen:
        return
    seen.add(event["id"])
    data = event["data"]
    if event["type"] == "parlance.bots.bot-created.v1":
        print(f"{event['id']} bot {data['bot_id']} of {data['owner_user_id']}", flush=True)
    elif event["type"] == "parlance.inference.reply-completed.v1":
        print(f"{event['id']} reply {data['reply_id']} cost {data['cost_nano_dollars']}", flush=True)
    # There are other types, and later releases add more.


signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
try:
    for message in consumer:
        handle(json.loads(message.value))
        consumer.commit()
finally:
    consumer.close()
