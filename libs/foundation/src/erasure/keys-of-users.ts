import { randomBytes } from 'node:crypto';
import { Instant } from '@parlance/decider';
import { STATEMENT_HEADER } from '@parlance/http';
import { isSealed, type Sealed, Shredded, type Subject, SubjectKey, SubjectKeys, Vault } from '@parlance/privacy';
import { fastify } from 'fastify';
import type { Host } from '../process/host.ts';

/** Replaces identity in tests: provides users' keys to the service under test, and seals texts under these keys. */
export class KeysOfUsers extends SubjectKeys {
  readonly vault = new Vault(this);
  /** The user whom identity reports as the first Admin. */
  firstAdmin: string | null = null;
  /** Users with a second factor that is not fresh. */
  readonly unproved = new Set<string>();
  /** Groups that do not exist. All others do. */
  readonly absentGroups = new Set<string>();
  private readonly keys = new Map<string, SubjectKey | null>();

  async enter({ local, master, statements }: Host): Promise<void> {
    const identity = fastify();
    identity.get<{ Params: { subject: string } }>('/internal/subject-keys/:subject', async ({ params: { subject } }, reply) => {
      const key = this.keyOf(subject);
      if (key) return { wrapped: master.wrap(key.bytes(), subject) };
      return reply
        .code(404)
        .type('application/problem+json')
        .send(JSON.stringify({ code: 'subject_key_gone', detail: 'It is gone.' }));
    });
    identity.get('/internal/users/first-admin', async () => ({ user_id: this.firstAdmin }));
    identity.get<{ Params: { name: string } }>('/admin/groups/:name', async ({ params: { name } }, reply) => {
      if (!this.absentGroups.has(name)) return { name };
      return reply
        .code(404)
        .type('application/problem+json')
        .send(JSON.stringify({ code: 'group_not_found', detail: 'There is no such group.' }));
    });
    // Users whose data was sealed, and who are not erased.
    identity.post<{ Body: { user_ids: readonly string[] } }>('/internal/users/persons', async ({ body: { user_ids } }) => ({
      users: user_ids
        .filter((id) => this.keys.get(`user:${id}`))
        .map((user_id) => ({ user_id, first_name: user_id, last_name: 'Example', email: `${user_id}@example.org` })),
    }));
    identity.post('/internal/step-ups', async ({ headers }, reply) => {
      const caller = statements.verify(String(headers[STATEMENT_HEADER]), Instant.ofMillis(Date.now()));
      if (!this.unproved.has(caller?.sub ?? '')) return reply.code(204).send();
      return reply
        .code(403)
        .type('application/problem+json')
        .send(JSON.stringify({ code: 'step_up_required', detail: 'This needs a second factor proved in the last ten minutes.' }));
    });
    await local.enter('identity', identity);
  }

  seal(userId: string, text: string): Promise<Sealed> {
    return this.vault.seal({ id: `user:${userId}` }, text);
  }

  async open(text: string | null | undefined): Promise<string | null> {
    return text && isSealed(text) ? this.vault.open(text) : (text ?? null);
  }

  /** Destroys the user's key, as identity does before it calls the other services. */
  async erase(userId: string): Promise<void> {
    await this.vault.shred(`user:${userId}`);
  }

  override async obtain({ id }: Subject): Promise<SubjectKey> {
    const key = this.keyOf(id);
    if (!key) throw new Shredded(id);
    return key;
  }

  override async find(subjectId: string): Promise<SubjectKey | null> {
    return this.keyOf(subjectId);
  }

  override async shred(subjectId: string): Promise<boolean> {
    const existed = this.keys.get(subjectId) != null;
    this.keys.set(subjectId, null);
    return existed;
  }

  private keyOf(id: string): SubjectKey | null {
    const known = this.keys.get(id);
    if (known !== undefined) return known;
    const key = new SubjectKey(id, randomBytes(32));
    this.keys.set(id, key);
    return key;
  }
}
