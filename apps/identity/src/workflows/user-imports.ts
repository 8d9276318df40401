import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Refusal } from '@parlance/decider';
import { Streams } from '@parlance/foundation';
import { ExecuteGroups } from '../commands/aggregates.ts';
import { findGroupName, groups as groupsDecider, groupsStream } from '../domain/groups.ts';
import { Addresses } from './addresses.ts';
import { Registration } from './registration.ts';

export interface UserToImport {
  /** Derived from the ID in the other product, so that a repeated import uses the same ID. */
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: readonly string[];
  readonly enabled: boolean;
}

/** `matched`: an account with this address already exists, and is not changed. */
export type ImportedUser =
  | { readonly status: 'created' | 'unchanged' | 'matched'; readonly user_id: string }
  | { readonly status: 'refused'; readonly code: string; readonly detail: string };

/**
 * Imports users of another product. They have no password here: they sign in through an identity provider, or with a reset that an
 * administrator offers.
 */
@Injectable()
export class UserImports {
  constructor(
    private readonly commands: CommandBus,
    private readonly streams: Streams,
    private readonly addresses: Addresses,
    private readonly registration: Registration,
  ) {}

  /** Rejects only for reasons that a later attempt may not encounter. */
  async take({ userId, groups, ...person }: UserToImport): Promise<ImportedUser> {
    try {
      const holder = await this.addresses.holderOf(person.email);
      if (holder !== null) return { status: holder === userId ? 'unchanged' : 'matched', user_id: holder };
      const made = await this.streams.load(groupsDecider, groupsStream);
      const known = groups.flatMap((name) => findGroupName(made, name) ?? []);
      const facts = { ...person, groups: [...new Set(known)], password: null, mustChangePassword: false, origin: 'admin' } as const;
      const isNew = await this.registration.register(userId, facts);
      return { status: isNew ? 'created' : 'unchanged', user_id: userId };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
      return { status: 'refused', code: error.code, detail: error.message };
    }
  }

  /** Creates the group, unless one exists whose name is the same or differs only by case. */
  async requireGroup(name: string): Promise<void> {
    try {
      await this.commands.execute(new ExecuteGroups({ type: 'Create', name: name.normalize('NFC'), creation: `import ${name}` }));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'group_exists') throw error;
    }
  }
}
