import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Internal } from '@parlance/http';
import { type Sealed, Vault } from '@parlance/privacy';
import { ArrayMaxSize, IsArray, Length } from 'class-validator';
import { ApiKeysWithIds } from '../projections/api-keys.ts';

const MOST_KEYS_ASKED = 1_000;

class KeysBody {
  @IsArray() @ArrayMaxSize(MOST_KEYS_ASKED) @Length(1, 128, { each: true }) key_ids!: string[];
}

/** Names API keys in administrators' figures. */
@Controller('internal/api-keys')
@Internal()
export class InternalApiKeysController {
  constructor(
    private readonly queries: QueryBus,
    private readonly vault: Vault,
  ) {}

  /** Descriptions by key. Revoked keys, and those of an erased owner, have none. */
  @Post('descriptions')
  @HttpCode(200)
  async descriptions(@Body() { key_ids }: KeysBody): Promise<{ descriptions: Readonly<Record<string, string>> }> {
    const descriptions: Record<string, string> = {};
    for (const { id, description } of await this.queries.execute(new ApiKeysWithIds(key_ids))) {
      const opened = await this.vault.openOften(description as Sealed);
      if (opened !== null) descriptions[id] = opened;
    }
    return { descriptions };
  }
}
