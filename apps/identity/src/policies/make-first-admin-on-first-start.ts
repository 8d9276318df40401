import { randomBytes } from 'node:crypto';
import type { OnApplicationBootstrap } from '@nestjs/common';
import type { CommandBus } from '@nestjs/cqrs';
import { newId } from '@parlance/event-store';
import type { Administration } from '../workflows/administration.ts';
import { ExecuteFirstAdmin } from '../commands/aggregates.ts';
import type { Registration } from '../workflows/registration.ts';

export interface FirstAdminSettings {
  readonly email: string;
  /** Absent: one is made up, and shown once. */
  readonly password?: string;
}

/** Without an Admin no user could ever make one: so the first start does. */
export class MakeFirstAdminOnFirstStart implements OnApplicationBootstrap {
  /** Set when this process has made the first Admin: the only time that the password is seen. */
  made: { readonly email: string; readonly password: string | null } | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly registration: Registration,
    private readonly administration: Administration,
    private readonly settings: FirstAdminSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { state } = await this.commands.execute(new ExecuteFirstAdmin({ type: 'Appoint', userId: newId() }));
    const userId = state.userId as string;
    // What was cut off between the user and the seat is made good here; there is nothing to do where it was not.
    if (await this.registration.isRegistered(userId)) return this.administration.seat(userId);
    const password = this.settings.password ?? randomBytes(15).toString('base64url');
    const made = await this.registration.register(userId, {
      email: this.settings.email,
      firstName: 'First',
      lastName: 'Admin',
      password,
      groups: ['Admin'],
      mustChangePassword: this.settings.password === undefined,
      origin: 'first_start',
    });
    // Another replica was quicker: its password is the one that counts, and it has shown it.
    if (!made) return;
    this.made = { email: this.settings.email, password: this.settings.password === undefined ? password : null };
  }
}
