import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';
import { Refusal } from '@parlance/decider';
import type { DrawnPage, ReadPages } from '@parlance/documents';
import { RemoteUnavailable } from '@parlance/retrieval';
import { InstallationOffers } from './installation-offers.ts';
import { ItemFailed } from './knowledge-items.ts';

/** The time limit of a page. It is longer than inference allows the model. */
const PAGE_MILLIS = 75_000;
/** How many characters of a page's own text are passed to the model. */
const GIVEN_CHARACTERS = 20_000;

/** The owner of the documents, and the model that reads them. */
export interface PageReading {
  readonly botId: string;
  /** The user who pays. */
  readonly userId: string;
  readonly model: string;
}

/** The models of this installation that read the pages of documents. Inference calls and charges them. */
@Injectable()
export class PageModels {
  constructor(
    private readonly calls: ServiceCalls,
    private readonly offers: InstallationOffers,
  ) {}

  /** IDs of the models that can be named as `parsing_model`. A replica of an earlier release offers none. */
  async offered(): Promise<readonly string[]> {
    return (await this.offers.current()).page_models ?? [];
  }

  /**
   * Reads pages with the model. Rejects with `RemoteUnavailable` while it cannot be reached, and with `ItemFailed` if it does not read a
   * page, is no longer offered, or a budget is used up.
   */
  reader(reading: PageReading): ReadPages {
    return (pages) => Promise.all(pages.map((page) => this.read(reading, page)));
  }

  private async read({ botId, userId, model }: PageReading, { number, image, text }: DrawnPage): Promise<string> {
    const body = {
      bot_id: botId,
      user_id: userId,
      model,
      image: Buffer.from(image).toString('base64'),
      text: text.slice(0, GIVEN_CHARACTERS).toWellFormed(),
    };
    try {
      return (await this.calls.post<{ text: string }>('inference', '/internal/pages/read', body, { millis: PAGE_MILLIS })).text;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.kind === 'unavailable') throw new RemoteUnavailable('The model that reads pages', `page ${number} could not be read`);
      const code = error.code === 'budget_exceeded' ? error.code : 'page_not_read';
      throw new ItemFailed(code, `Page ${number}: ${error.message}`);
    }
  }
}
