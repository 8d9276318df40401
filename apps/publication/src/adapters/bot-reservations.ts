import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';

/** Reserves bots at the bots service, whose streams decide. Calls may be repeated. All methods throw the refusals of that service. */
@Injectable()
export class BotReservations {
  constructor(private readonly calls: ServiceCalls) {}

  /** The owner, if the signed-in user may publish the bot. Throws `bot_not_found` and `not_owner`. */
  async ownerOf(botId: string): Promise<string> {
    return (await this.calls.get<{ owner_user_id: string }>('bots', `/internal/bots/${botId}/owner`)).owner_user_id;
  }

  /** Reserves the bot on behalf of the signed-in user. Throws `bot_not_public`, `sync_not_succeeded`, and the refusals of `ownerOf`. */
  reserve(botId: string, number: number): Promise<void> {
    return this.call(botId, '', number);
  }

  /** Throws `publication_is_over` and `bot_not_found`. */
  complete(botId: string, number: number): Promise<void> {
    return this.call(botId, '/complete', number);
  }

  release(botId: string, number: number): Promise<void> {
    return this.call(botId, '/release', number);
  }

  private async call(botId: string, step: string, number: number): Promise<void> {
    await this.calls.post('bots', `/internal/bots/${botId}/reservation${step}`, { number });
  }
}
