// A minimal proxy of a provider: node:http and undici forward each request, without any checks or storage.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [base] = process.argv.slice(2);
const { origin, pathname } = new URL(base);
const provider = new Pool(origin, { connections: 64 });
const server = createServer((request, response) => {
  const { method, headers } = request;
  const passed = { method, path: `${pathname}${request.url}`, body: request, headers: { 'content-type': headers['content-type'] } };
  provider
    .stream(passed, ({ statusCode, headers: answered }) => {
      response.writeHead(statusCode, { 'content-type': answered['content-type'] });
      return response;
    })
    .catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}` }));
process.on('disconnect', () => process.exit());
