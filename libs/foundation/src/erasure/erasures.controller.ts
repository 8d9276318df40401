import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { UserErased } from '@parlance/contracts';
import { EventStore } from '@parlance/event-store';
import type { CloudEvent } from '@parlance/messaging';
import { Vault } from '@parlance/privacy';
import { Projector } from '@parlance/read-models';
import { Length } from 'class-validator';
import { SERVICE } from '../wiring/common.module.ts';
import { Erasing, type Removed } from './erasing.ts';
import { Internal } from '@parlance/http';

class ErasureBody {
  @Length(1, 128) user_id!: string;
}

/** A service's part of the receipt of an erasure. */
export interface Erased {
  readonly service: string;
  readonly removed: Removed;
}

/**
 * Erases a user's data on identity's call and on its event. The call returns the counts for the receipt. The event is always published,
 * and reaches services that could not be called.
 */
@Controller('internal/erasures')
export class ErasuresController {
  constructor(
    @Inject(SERVICE) private readonly service: string,
    private readonly erasing: Erasing,
    private readonly vault: Vault,
    private readonly store: EventStore,
    private readonly projector: Projector,
  ) {}

  @Post()
  @Internal()
  @HttpCode(200)
  async erase(@Body() { user_id }: ErasureBody): Promise<Erased> {
    await this.remove(user_id);
    // Another process may have removed some of it, and a command that finds nothing to do does not wait for rows.
    await this.projector.includes(await this.store.head());
    return { service: this.service, removed: await this.erasing.removedOf(user_id) };
  }

  @EventPattern(UserErased.type)
  async onUserErased(@Payload() { data }: CloudEvent<UserErased>): Promise<void> {
    await this.remove(data.user_id);
  }

  private remove(userId: string): Promise<void> {
    // First, because a cached key would still open the user's texts.
    this.vault.forget(`user:${userId}`);
    return this.erasing.erase(userId);
  }
}
