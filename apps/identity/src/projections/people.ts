import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Person, profileFields } from '@parlance/contracts';
import { type Sealed, Vault } from '@parlance/privacy';
import { type OwnPerson, UserById, type UserRow } from './users.ts';
import { userNotFound } from '../domain/user-not-found.ts';

const FIELDS = Object.keys(Person.shape) as (keyof Person)[];
const SEALED: ReadonlySet<string> = new Set(['email', ...Object.keys(profileFields)]);

/** Users with opened names and addresses. */
@Injectable()
export class People {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Throws the refusal `user_not_found`. */
  async byId(userId: string): Promise<Person> {
    return this.open(await this.rowOf(userId));
  }

  async find(userId: string): Promise<Person | null> {
    const row = await this.queries.execute(new UserById(userId));
    return row ? this.open(row) : null;
  }

  /** The user, and the version for the ETag. */
  async withVersion(userId: string): Promise<{ person: Person; version: number }> {
    const row = await this.rowOf(userId);
    return { person: await this.open(row), version: row.version };
  }

  /** The user with the fields that only this user sees, and the version for the ETag. */
  async ownWithVersion(userId: string): Promise<{ person: OwnPerson; version: number }> {
    const row = await this.rowOf(userId);
    return {
      person: { ...(await this.open(row)), language: row.language, notification_mails: row.notification_mails },
      version: row.version,
    };
  }

  async open(row: UserRow): Promise<Person> {
    const fields = FIELDS.map(async (field) => [field, await this.opened(field, row[field])] as const);
    return Object.fromEntries(await Promise.all(fields)) as unknown as Person;
  }

  async text(sealed: string): Promise<string> {
    return (await this.vault.open(sealed as Sealed)) ?? '';
  }

  /** Throws the refusal `user_not_found`. */
  async rowOf(userId: string): Promise<UserRow> {
    const row = await this.queries.execute(new UserById(userId));
    if (!row) throw userNotFound();
    return row;
  }
  private opened(field: keyof Person, value: unknown): unknown {
    return SEALED.has(field) && typeof value === 'string' ? this.text(value) : value;
  }
}
