import { Refusal } from '@parlance/decider';
import { type MasterKey, type PreparedKey, Shredded, type Subject, SubjectKey, SubjectKeys } from '@parlance/privacy';
import type { ServiceCalls } from '@parlance/calls';

/** Users' keys are identity's to keep: the others ask for them, and wrap keys of their own subjects in them. */
export const isUserSubject = (id: string) => id.startsWith('user:');

/** What personal content of a user is sealed under. */
export const userSubject = (userId: string) => ({ id: `user:${userId}` });

/** Null when identity says that the key is gone; rejects while identity can't be asked. */
export async function userKeyFromIdentity(calls: ServiceCalls, master: MasterKey, id: string): Promise<SubjectKey | null> {
  try {
    const { wrapped } = await calls.get<{ wrapped: string }>('identity', `/internal/subject-keys/${encodeURIComponent(id)}`);
    return new SubjectKey(id, master.unwrap(wrapped, id));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'subject_key_gone') return null;
    throw error;
  }
}

/** Keys of this service's own subjects here, users' at identity. */
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

  find(subjectId: string): Promise<SubjectKey | null> {
    return isUserSubject(subjectId) ? this.userKey(subjectId) : this.own.find(subjectId);
  }

  shred(subjectId: string): Promise<boolean> {
    // Users are erased by identity alone; what a service hears of it is that the key is gone.
    if (isUserSubject(subjectId)) return Promise.reject(new Error(`${subjectId} is identity's to erase`));
    return this.own.shred(subjectId);
  }
}
