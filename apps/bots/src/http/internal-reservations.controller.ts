import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { Caller, IdParam, Internal } from '@parlance/http';
import { IsInt, Min } from 'class-validator';
import { notOwner } from '../domain/bot.ts';
import { mayShare } from '../domain/sharing.ts';
import { relationTo } from '../projections/bots/bot-rows.ts';
import { PublicationReservation } from '../workflows/publication-reservation.ts';
import { BotAnswers } from './bot-answers.ts';

class ReservationBody {
  /** The number of the request to publish the bot. */
  @IsInt() @Min(1) number!: number;
}

/** Reservations of bots, for the publication service. */
@Controller('internal/bots/:botId')
@Internal()
export class InternalReservationsController {
  constructor(
    private readonly answers: BotAnswers,
    private readonly reservation: PublicationReservation,
  ) {}

  /** The owner of the bot, if the calling user is the owner or an administrator. */
  @Get('owner')
  async owner(@Caller() caller: Caller, @IdParam('botId') botId: string): Promise<{ owner_user_id: string }> {
    const { row } = await this.answers.seen(botId, caller);
    if (!mayShare(relationTo(caller, row))) throw notOwner();
    return { owner_user_id: row.owner_user_id };
  }

  @Post('reservation')
  @HttpCode(204)
  async reserve(@Caller() caller: Caller, @IdParam('botId') botId: string, @Body() { number }: ReservationBody): Promise<void> {
    await this.reservation.reserve(botId, caller, number);
  }

  @Post('reservation/complete')
  @HttpCode(204)
  async complete(@IdParam('botId') botId: string, @Body() { number }: ReservationBody): Promise<void> {
    await this.reservation.complete(botId, number);
  }

  @Post('reservation/release')
  @HttpCode(204)
  async release(@IdParam('botId') botId: string, @Body() { number }: ReservationBody): Promise<void> {
    await this.reservation.release(botId, number);
  }
}
