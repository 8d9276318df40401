import { Refusal } from '@parlance/decider';
import { LocalMasterKey, type MasterKey, type PreparedKey, Shredded, type Subject, SubjectKey, SubjectKeys } from '@parlance/privacy';
import type { ServiceCalls } from '@parlance/calls';

/** True for users' keys. Identity keeps them; other services request them, and wrap the keys of their own subjects with them. */
export const isUserSubject = (id: string) => id.startsWith('user:');

/** The subject under whose key a user's personal content is sealed. */
export const userSubject = (userId: string) => ({ id: `user:${userId}` });

interface KeyOfIdentity {
  /** Wrapped by the master key, for services of release 0.3. */
  readonly wrapped: string;
  /** Wrapped by `transportKey`; absent from an identity of release 0.3. */
  readonly transported?: string;
}

/** Wraps users' keys on their way between services, which need not share the key under which identity stores them. */
export const transportKey = (master: MasterKey): MasterKey => new LocalMasterKey(master.derive('user-keys'));

/** Requests a user's key. Null if identity has destroyed it; rejects while identity is unavailable. */
export async function userKeyFromIdentity(calls: ServiceCalls, master: MasterKey, id: string): Promise<SubjectKey | null> {
  try {
    const { wrapped, transported } = await calls.get<KeyOfIdentity>('identity', `/internal/subject-keys/${encodeURIComponent(id)}`);
    return new SubjectKey(id, transported === undefined ? master.unwrap(wrapped, id) : transportKey(master).unwrap(transported, id));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'subject_key_gone') return null;
    throw error;
  }
}

/** The keys of this service's own subjects, and users' keys from identity. */
export class SharedSubjectKeys extends SubjectKeys {
  constructor(
    private readonly own: SubjectKeys,
    private readonly userKey: (id: string) => Promise<SubjectKey | null>,
  ) {
    super();
  }

  async obtain(subject: Subject): Promise<SubjectKey> {
    if (!isUserSubject(subject.id)) return this.own.obtain(subject);
    const key = await this.userKey(subject.id);
    if (!key) throw new Shredded(subject.id);
    return key;
  }

  override prepare(subject: Subject): Promise<PreparedKey> {
    return isUserSubject(subject.id) ? super.prepare(subject) : this.own.prepare(subject);
  }

  override prepareNew(subject: Subject): Promise<PreparedKey> {
    return isUserSubject(subject.id) ? super.prepareNew(subject) : this.own.prepareNew(subject);
  }

  find(subjectId: string): Promise<SubjectKey | null> {
    return isUserSubject(subjectId) ? this.userKey(subjectId) : this.own.find(subjectId);
  }

  shred(subjectId: string): Promise<boolean> {
    // Only identity erases users. Other services notice an erasure because the key is missing.
    if (isUserSubject(subjectId)) return Promise.reject(new Error(`${subjectId} can only be erased by identity`));
    return this.own.shred(subjectId);
  }
}
