import type { Config } from '@parlance/config';
import { Instant, Refusal } from '@parlance/decider';
import { validatorOf } from '@parlance/http';
import { ObjectLists } from '../adapters/object-lists.ts';
import { CreateBotBody } from './bodies/bot-bodies.ts';
import { configurationOf } from './configurations.ts';

export interface BotFault {
  readonly path: string;
  readonly message: string;
}

const validated = validatorOf(CreateBotBody, 'invalid_body');

/** What `POST /bot` accepts in an installation with this configuration. For `parlance migrate`, whose dry run starts no service. */
export class BotRules {
  private readonly lists: ObjectLists;

  constructor(private readonly config: Pick<Config, 'retrievers' | 'knowledgeS3'>) {
    this.lists = new ObjectLists(config.knowledgeS3);
  }

  /** The faults that the route would report, except those about models, because only the inference service knows which models there are. */
  faultsOf(body: object): readonly BotFault[] {
    let given: CreateBotBody;
    try {
      given = validated(body);
      configurationOf(given, Instant.ofMillis(0));
    } catch (error) {
      if (error instanceof Refusal) return (error.facts['errors'] ?? []) as readonly BotFault[];
      throw error;
    }
    const base = given.bedrock_knowledge_base?.exist_knowledge_base_id;
    return [
      ...(base === undefined || Object.hasOwn(this.config.retrievers, base)
        ? []
        : [{ path: 'bedrock_knowledge_base.exist_knowledge_base_id', message: 'must name a knowledge base in the retrievers setting' }]),
      ...(given.knowledge?.s3_urls ?? []).flatMap((url) => {
        const message = this.lists.faultOf(url);
        return message === null ? [] : [{ path: 'knowledge.s3_urls', message }];
      }),
    ];
  }
}
