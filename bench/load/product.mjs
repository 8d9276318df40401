// The product and the requests of its clients.
import { Agent, request } from 'node:http';
import { oneProcess } from '@parlance/testing';
import { pin, SERVER } from '../measure/cores.mjs';

/** The first Admin. */
export const credentials = { email: 'admin@parlance.local', password: 'correct horse battery' };

export const environment = {
  PARLANCE_ADMIN_EMAIL: credentials.email,
  PARLANCE_ADMIN_PASSWORD: credentials.password,
  // All load comes from one user at one address.
  PARLANCE_AUTH_REQUESTS_PER_MINUTE: '0',
  PARLANCE_REQUESTS_PER_MINUTE: '0',
  PARLANCE_ANONYMOUS_REQUESTS_PER_MINUTE: '0',
};

/** A message to the offline model, in an existing or a new conversation. */
export const messageIn = (conversation) => ({
  ...(conversation && { conversation_id: conversation }),
  message: { content: [{ content_type: 'text', body: 'What does the handbook say about leave in the first year?' }] },
});
export const message = JSON.stringify(messageIn());

/** Starts the product in one process on the server's core, and signs in its first Admin. */
export async function startProduct(more = {}, place = {}) {
  const product = await oneProcess({ ...environment, ...more }, place);
  const { url, directory, pid } = product;
  pin(SERVER, pid);
  return { url, directory, pid, stop: () => product.stop(), headers: await signIn(url) };
}

/** The headers of a signed-in user. */
export async function signIn(url) {
  const { status, body } = await ask('POST', `${url}/auth/sign-in`, { 'content-type': 'application/json' }, credentials);
  if (status !== 200) throw new Error(`signing in was answered with ${status}`);
  return { authorization: `Bearer ${body.access_token}`, 'content-type': 'application/json' };
}

const agent = new Agent({ keepAlive: true });

/** Sends a request and parses its JSON answer. Uses node:http, because fetch costs the client more than the request costs the server. */
export function ask(method, url, headers, body) {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode, body: text === '' ? null : JSON.parse(text) });
      });
    });
    asking.once('error', reject);
    asking.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

/** Sends a text to a signed URL. Returns the status of the answer. */
export function put(url, headers, text) {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(text);
    const sending = request(url, { method: 'PUT', headers: { ...headers, 'content-length': body.length }, agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sending.once('error', reject);
    sending.end(body);
  });
}
