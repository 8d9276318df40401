import { Injectable } from '@nestjs/common';
import { ServiceCalls } from '@parlance/calls';

/** What bots may name in this installation, as inference reports it. */
export interface Offers {
  readonly models: readonly string[];
  /** Models that read the pages of documents. Absent in answers of an earlier release. */
  readonly page_models?: readonly string[];
  readonly tools: readonly string[];
  readonly tool_servers: readonly string[];
}

/** What this installation's configuration offers to bots, even while a provider or a tool server does not answer. */
@Injectable()
export class InstallationOffers {
  constructor(private readonly calls: ServiceCalls) {}

  /** Rejects with `unavailable` while inference does not answer. */
  current(): Promise<Offers> {
    return this.calls.get<Offers>('inference', '/internal/offers');
  }
}

/** Whether a tool is offered. Any tool of an offered server counts, because the server lists its tools only when a reply is written. */
export const offersTool = ({ tools, tool_servers }: Offers, name: string): boolean =>
  tools.includes(name) || (name.includes('__') && tool_servers.includes(name.split('__', 1)[0]!));
