import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { refuse } from '@parlance/decider';
import { Internal, IsUlid } from '@parlance/http';
import { IsOptional } from 'class-validator';
import { ExecuteHeldSubject } from '../commands/aggregates.ts';
import { heldSubjectId, type HeldSubjectCommand } from '../domain/holds/held-subject.ts';

class HoldBody {
  @IsUlid() hold_id!: string;
  @IsOptional() @IsUlid() user_id?: string | null;
  @IsOptional() @IsUlid() bot_id?: string | null;
}

/** Holds on users and bots, for identity. */
@Controller('internal/holds')
@Internal()
export class InternalHoldsController {
  constructor(private readonly commands: CommandBus) {}

  /** After the answer, no conversation of the user or with the bot can be deleted. */
  @Post('place')
  @HttpCode(204)
  async place(@Body() body: HoldBody): Promise<void> {
    await this.execute('Place', body);
  }

  @Post('end')
  @HttpCode(204)
  async end(@Body() body: HoldBody): Promise<void> {
    await this.execute('End', body);
  }

  private async execute(type: HeldSubjectCommand['type'], { hold_id: holdId, user_id, bot_id }: HoldBody): Promise<void> {
    const subject = user_id != null ? heldSubjectId('user', user_id) : bot_id != null ? heldSubjectId('bot', bot_id) : null;
    if (subject === null) throw refuse('invalid', 'invalid_body', 'The hold names neither a user nor a bot.');
    await this.commands.execute(new ExecuteHeldSubject(subject, { type, holdId }));
  }
}
