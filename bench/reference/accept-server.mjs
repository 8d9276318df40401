// The minimum of a durable accept: bare Fastify parses a body, syncs one row to disk, and answers 202.
import Fastify from 'fastify';
import { openGroupCommit } from './group-commit.mjs';

const store = openGroupCommit(
  process.argv[2],
  'CREATE TABLE accepted (id INTEGER PRIMARY KEY, body TEXT NOT NULL)',
  'INSERT INTO accepted (body) VALUES (?)',
);
const server = Fastify();
server.post('/conversation', async (request, reply) => {
  await store.write([JSON.stringify(request.body)]);
  return reply.status(202).send({ accepted: true });
});
await server.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit());
process.send({ url: `http://127.0.0.1:${server.server.address().port}/conversation` });
