import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Server as Process, waitFor } from '@parlance/testing';
import { admin } from './deployment.ts';

const GROUP_CREATED = 'parlance.identity.group-created.v1';

/** Tests webhooks and event streams. `analytics` is the process that sends the events. */
export function subscriptionsStory(url: () => string, analytics: () => Process): void {
  describe('subscriptions to events', () => {
    const received: { id: string; group: string }[] = [];
    let endpoint: Server;
    let answers = true;
    let token: string;

    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${url()}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    };
    const signIn = async () =>
      (token = (await call('POST', '/auth/sign-in', { email: admin.email, password: admin.password })).body.access_token);
    const makes = async (group: string) => expect((await call('POST', '/admin/groups', { name: group })).status).toBe(201);
    const groups = () => received.map(({ group }) => group);

    /** Opens a stream through the edge, and collects its text. */
    const follow = async (query: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url()}/admin/events${query}`, { headers: { authorization: `Bearer ${token}`, ...headers } });
      expect(answer.status).toBe(200);
      const stream = { text: '', isOver: false };
      void (async () => {
        for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) stream.text += chunk;
      })()
        .catch(() => undefined)
        .finally(() => (stream.isOver = true));
      return stream;
    };

    beforeAll(async () => {
      endpoint = createServer((request, reply) => {
        let body = '';
        request.setEncoding('utf8');
        request.on('data', (text: string) => (body += text));
        request.on('end', () => {
          received.push({ id: String(request.headers['webhook-id']), group: JSON.parse(body).data.group as string });
          if (answers) reply.writeHead(204).end();
        });
      });
      endpoint.listen(0, '127.0.0.1');
      await once(endpoint, 'listening');
      await signIn();
    });
    afterAll(async () => {
      endpoint.closeAllConnections();
      endpoint.close();
    });

    it('deliver an event again if the process is killed after the request and before the result is recorded', async () => {
      const hook = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
      const created = await call('POST', '/admin/webhooks', { url: hook, event_types: [GROUP_CREATED] });
      expect([created.status, created.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
      await makes('first');
      await waitFor(async () => groups().includes('first'), { what: 'the first event' });
      answers = false;
      await makes('second');
      await waitFor(async () => groups().includes('second'), { what: 'the request without an answer' });
      await analytics().kill();
      answers = true;
      await analytics().restart();
      await signIn();
      await makes('third');
      await waitFor(async () => groups().includes('third'), { what: 'the third event' });
      await waitFor(async () => groups().filter((group) => group === 'second').length >= 2, { what: 'the second event again' });
      const ids = new Set(received.filter(({ group }) => group === 'second').map(({ id }) => id));
      expect(ids.size).toBe(1);
      const { body } = await call('GET', `/admin/webhooks/${created.body.id}/deliveries?status=delivered`);
      await waitFor(
        async () => (await call('GET', `/admin/webhooks/${created.body.id}/deliveries?status=pending`)).body.deliveries.length === 0,
        { what: 'the records' },
      );
      expect(body.deliveries.length).toBeGreaterThanOrEqual(1);
    });

    it('stream new events through the edge until the session ends', async () => {
      const stream = await follow(`?types=${GROUP_CREATED}`);
      await makes('streamed');
      await waitFor(async () => stream.text.includes('"group":"streamed"'), { what: 'the event' });
      expect(stream.isOver).toBe(false);
      const [, id] = /^id: (.*)$/m.exec(stream.text)!;
      await makes('later');
      const resumed = await follow(`?types=${GROUP_CREATED}`, { 'last-event-id': id! });
      await waitFor(async () => resumed.text.includes('"group":"later"'), { what: 'the later event' });
      expect(resumed.text).not.toContain('"group":"streamed"');
      expect((await call('POST', '/auth/sign-out')).status).toBe(204);
      await waitFor(async () => stream.isOver && resumed.isOver, { what: 'the end of both streams' });
    });

    it('are in the audit log', async () => {
      await signIn();
      await waitFor(
        async () => {
          const { body } = await call('GET', '/admin/audit-logs?limit=1000');
          const actions = new Set((body.audit_logs as { action_type: string }[]).map(({ action_type }) => action_type));
          return actions.has('create_webhook') && actions.has('view_events');
        },
        { what: 'the entries' },
      );
    });
  });
}
