// A minimal server: Fastify with one route and a fixed answer.
import Fastify from 'fastify';

const server = Fastify();
server.get('/static', () => ({ user_id: '01K0000000000000000000000A', title: 'Guide', enabled: true }));
await server.listen({ port: 0, host: '127.0.0.1' });
process.on('disconnect', () => process.exit());
process.send({ url: `http://127.0.0.1:${server.server.address().port}/static` });
