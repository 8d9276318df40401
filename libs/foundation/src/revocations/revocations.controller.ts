import { Controller, Get, Query } from '@nestjs/common';
import { IN_ONE_PROCESS, RevocationFeed } from '@parlance/revocation';
import { Internal } from '@parlance/http';
import { IsInt, IsOptional, Length, Max, Min } from 'class-validator';

class PollQuery {
  @Length(1, 100) watcher!: string;
  @IsOptional() @IsInt() @Min(0) seen?: number;
  @IsInt() @Min(0) @Max(IN_ONE_PROCESS.waitMs) wait!: number;
}

class StateQuery {
  /** Separated by commas. */
  @Length(1, 4_000) keys!: string;
}

/** A service's revocations, for the edges, which check tokens and keys. */
@Controller('internal/revocations')
@Internal()
export class RevocationsController {
  constructor(private readonly feed: RevocationFeed) {}

  @Get()
  poll(@Query() { watcher, seen, wait }: PollQuery) {
    return this.feed.poll({ watcher, seen: seen ?? null, wait });
  }

  @Get('state')
  async state(@Query() { keys }: StateQuery) {
    return { revoked: await this.feed.revokedOf(keys.split(',')) };
  }
}
