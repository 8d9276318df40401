import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { type Sealed, Vault } from '@parlance/privacy';
import { UserById, type UserRow } from './users.ts';

/** Users with their personal content opened, for those who may read it. */
@Injectable()
export class People {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Throws the refusal `user_not_found`. */
  async byId(userId: string): Promise<UserRow> {
    const row = await this.queries.execute(new UserById(userId));
    if (!row) throw refuse('missing', 'user_not_found');
    const [email, first_name, last_name] = await Promise.all(
      [row.email, row.first_name, row.last_name].map(async (text) => (await this.vault.open(text as Sealed)) ?? ''),
    );
    return { ...row, email: email ?? '', first_name: first_name ?? '', last_name: last_name ?? '' };
  }
}
