import { type DynamicModule, Module } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MasterKey, Vault } from '@parlance/privacy';
import { Config, FoundationModule, type Host, Streams } from '@parlance/service-kit';
import { AccessTokens } from './adapters/access-tokens.ts';
import { Passwords } from './adapters/passwords.ts';
import { EmailClaimCommands } from './commands/email-claim.ts';
import { FirstAdminCommands } from './commands/first-admin.ts';
import { Registration } from './commands/registration.ts';
import { SessionCommands } from './commands/session.ts';
import { SigningKeysCommands } from './commands/signing-keys.ts';
import { UserCommands } from './commands/user.ts';
import { publishIdentity } from './contracts/identity-events.ts';
import { AuthController } from './http/auth.controller.ts';
import { KeysController } from './http/keys.controller.ts';
import { UserController } from './http/user.controller.ts';
import { MakeFirstAdminOnFirstStart } from './policies/make-first-admin-on-first-start.ts';
import { People } from './projections/people.ts';
import { FindUserById, users } from './projections/users.ts';

@Module({})
export class IdentityModule {
  static async of(host: Host): Promise<DynamicModule> {
    return {
      module: IdentityModule,
      imports: [await FoundationModule.of(host, { name: 'identity', projections: [users], publish: publishIdentity, keepsUserKeys: true })],
      controllers: [AuthController, UserController, KeysController],
      providers: [
        UserCommands,
        EmailClaimCommands,
        FirstAdminCommands,
        SessionCommands,
        SigningKeysCommands,
        FindUserById,
        People,
        Passwords,
        {
          provide: AccessTokens,
          useFactory: (commands: CommandBus, streams: Streams, master: MasterKey, config: Config) =>
            new AccessTokens(commands, streams, master, config.tokenValidMinutes),
          inject: [CommandBus, Streams, MasterKey, Config],
        },
        {
          provide: Registration,
          useFactory: (commands: CommandBus, streams: Streams, vault: Vault, passwords: Passwords, master: MasterKey) =>
            new Registration(commands, streams, vault, passwords, master.derive('email-claims')),
          inject: [CommandBus, Streams, Vault, Passwords, MasterKey],
        },
        {
          provide: MakeFirstAdminOnFirstStart,
          useFactory: (commands: CommandBus, registration: Registration, { adminEmail, adminPassword }: Config) =>
            new MakeFirstAdminOnFirstStart(commands, registration, {
              email: adminEmail ?? 'admin@parlance.local',
              ...(adminPassword !== null && { password: adminPassword }),
            }),
          inject: [CommandBus, Registration, Config],
        },
      ],
    };
  }
}
