import { randomBytes } from 'node:crypto';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Config } from '@parlance/config';
import { newId } from '@parlance/event-store';
import { AdminSeats } from '../workflows/admin-seats.ts';
import { ExecuteFirstAdmin } from '../commands/aggregates.ts';
import { Registration } from '../workflows/registration.ts';

/** Only an Admin can make a user an Admin, so the first start creates one. */
@Injectable()
export class MakeFirstAdminOnFirstStart implements OnApplicationBootstrap {
  /** Set if this process created the first Admin. The password is shown only then. */
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
    // Another Admin exists, because the last one cannot be erased.
    if (await this.registration.isErased(userId)) return;
    // A crash may have left the user without a seat.
    if (await this.registration.isRegistered(userId)) return this.adminSeats.takeMissingSeat(userId);
    const { adminEmail, adminPassword } = this.config;
    const email = adminEmail ?? 'admin@parlance.local';
    const password = adminPassword ?? randomBytes(15).toString('base64url');
    const made = await this.registration.register(userId, {
      email,
      firstName: 'Parlance',
      lastName: 'Administrator',
      password,
      groups: ['Admin'],
      mustChangePassword: adminPassword === null,
      origin: 'first_start',
    });
    // Another replica was faster. The password that it showed is valid.
    if (!made) return;
    this.made = { email, password: adminPassword === null ? password : null };
  }
}
