/**
 * Reads public events of Parlance from Kafka, and prints one line for each new bot and each finished reply.
 *
 *     npm install kafkajs
 *     node read-events.ts GROUP BROKER...
 *
 * kafkajs 2.2.4 causes a TimeoutNegativeWarning in Node 24, which has no effect.
 */
import { Kafka, logLevel } from 'kafkajs';

/** What all events have. Schemas of all events are in /asyncapi.json. */
interface PublicEvent {
  readonly id: string;
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const [groupId = 'reports', ...brokers] = process.argv.slice(2);
const kafka = new Kafka({ clientId: groupId, brokers, logLevel: logLevel.ERROR });
// Events of transactions that were aborted are left out.
const consumer = kafka.consumer({ groupId, readUncommitted: false });

/** An event may come twice. A real consumer keeps the IDs where it keeps its results, in the same transaction. */
const seen = new Set<string>();

function handle({ id, type, data }: PublicEvent): void {
  if (seen.has(id)) return;
  seen.add(id);
  switch (type) {
    case 'parlance.bots.bot-created.v1':
      console.log(`${id} bot ${String(data['bot_id'])} of ${String(data['owner_user_id'])}`);
      break;
    case 'parlance.inference.reply-completed.v1':
      console.log(`${id} reply ${String(data['reply_id'])} cost ${String(data['cost_nano_dollars'])}`);
      break;
    // There are other types, and later releases add more.
    default:
  }
}

await consumer.connect();
await consumer.subscribe({ topics: ['parlance.bots', 'parlance.inference'], fromBeginning: true });
await consumer.run({
  // kafkajs commits the offset after this returns. After a crash it is called again with the same event.
  eachMessage: async ({ message }) => {
    if (message.value) handle(JSON.parse(message.value.toString()) as PublicEvent);
  },
});
process.once('SIGTERM', () => void consumer.disconnect());
