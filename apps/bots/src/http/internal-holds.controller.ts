import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Internal, IsUlid } from '@parlance/http';
import { ExecuteBot } from '../commands/aggregates.ts';

class HoldBody {
  @IsUlid() hold_id!: string;
  @IsUlid() bot_id!: string;
}

/** Null if there is no such bot. Deleted bots are included. */
interface HeldBot {
  readonly owner_user_id: string | null;
}

/** Holds on bots, for identity. */
@Controller('internal/holds')
@Internal()
export class InternalHoldsController {
  constructor(private readonly commands: CommandBus) {}

  /** Throws the refusals `bot_not_found` and `too_many_holds`. */
  @Post('place')
  @HttpCode(200)
  place(@Body() { hold_id: holdId, bot_id }: HoldBody): Promise<HeldBot> {
    return this.execute(bot_id, { type: 'Hold', holdId });
  }

  @Post('end')
  @HttpCode(200)
  end(@Body() { hold_id: holdId, bot_id }: HoldBody): Promise<HeldBot> {
    return this.execute(bot_id, { type: 'EndHold', holdId });
  }

  private async execute(botId: string, command: { type: 'Hold' | 'EndHold'; holdId: string }): Promise<HeldBot> {
    const { state } = await this.commands.execute(new ExecuteBot(botId, command));
    return { owner_user_id: state.status === 'absent' ? null : state.ownerUserId };
  }
}
