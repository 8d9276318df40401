import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { UserErased } from '@parlance/contracts';
import type { CloudEvent } from '@parlance/messaging';
import { Vault } from '@parlance/privacy';
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
  ) {}

  @Post()
  @Internal()
  @HttpCode(200)
  async erase(@Body() { user_id }: ErasureBody): Promise<Erased> {
    return { service: this.service, removed: await this.remove(user_id) };
  }

  @EventPattern(UserErased.type)
  async onUserErased(@Payload() { data }: CloudEvent<UserErased>): Promise<void> {
    await this.remove(data.user_id);
  }

  private remove(userId: string): Promise<Removed> {
    // First, because a cached key would still open the user's texts.
    this.vault.forget(`user:${userId}`);
    return this.erasing.erase(userId);
  }
}
