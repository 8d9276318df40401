import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { newId } from '@parlance/event-store';
import { AdminSeats } from '../workflows/admin-seats.ts';
import { ExecuteFirstAdmin } from '../commands/aggregates.ts';
import { Registration } from '../workflows/registration.ts';

/** Without an Admin no user could ever make one: so the first start does. */
@Injectable()
export class MakeFirstAdminOnFirstStart implements OnApplicationBootstrap {
  /** Set when this process has made the first Admin: the only time that the password is seen. */
  made: { readonly email: string; readonly password: string | null } | null = null;

  constructor(
    private readonly commands: CommandBus,
    private readonly registration: Registration,
    private readonly adminSeats: AdminSeats,
    private readonly config: Config,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { state } = await this.commands.execute(new ExecuteFirstAdmin({ type: 'Appoint', userId: newId() }));
    const userId = state.userId as string;
    // What was cut off between the user and the seat is made good here; there is nothing to do where it was not.
    if (await this.registration.isRegistered(userId)) return this.adminSeats.takeMissingSeat(userId);
    const { adminEmail, adminPassword } = this.config;
    const email = adminEmail ?? 'admin@parlance.local';
    const password = adminPassword ?? randomBytes(15).toString('base64url');
    const made = await this.registration.register(userId, {
      email,
      firstName: 'First',
      lastName: 'Admin',
      password,
      groups: ['Admin'],
      mustChangePassword: adminPassword === null,
      origin: 'first_start',
    });
    // Another replica was quicker: its password is the one that counts, and it has shown it.
    if (!made) return;
    this.made = { email, password: adminPassword === null ? password : null };
  }
}
