import { Controller, Get } from '@nestjs/common';
import { Config } from '@parlance/config';
import { Answers, nameSchemas, Summary } from '@parlance/openapi';
import { Caller, SignedIn } from '@parlance/http';
import { z } from 'zod';
import { Toolbox } from '../adapters/tools/toolbox.ts';
import { Catalogue } from '../adapters/pricing/catalogue.ts';

const GlobalModel = z.object({
  id: z.string(),
  name: z.string(),
  available: z.boolean().describe('False if the provider of the model has no credentials. Such a model cannot be used.'),
  capabilities: z.array(z.string()).describe('For example vision, documents, reasoning, prompt_caching.'),
  context_window: z.int().describe('Tokens of the prompt and the answer.'),
  max_output_tokens: z.int().nullable().describe('Tokens of an answer. Null if unknown.'),
});

const GlobalTool = z.object({
  name: z.string(),
  description: z.string(),
  writes: z
    .boolean()
    .describe('Whether a call may change something outside of Parlance. With the approval `writes`, such calls need approval.'),
});

const GlobalConfigAnswer = z.object({
  global_available_models: z.array(GlobalModel),
  default_model: z.string().nullable().describe('Model for a message without a model and a bot. Null if no model is available.'),
  speech: z
    .object({ model: z.string(), voice: z.string() })
    .nullable()
    .describe('Model and voice that read replies aloud, with POST /v1/audio/speech. Null if there is none.'),
  transcription_model: z
    .string()
    .nullable()
    .describe('Model that writes down what a user dictates, with POST /v1/audio/transcriptions. Null if there is none.'),
  tools: z.array(GlobalTool).describe('The tools that a bot may name.'),
  allow_public_links: z.boolean().describe('Whether conversations can be shared with everyone who has the link, without sign-in.'),
  user_memory: z.boolean().describe('Whether users can turn on their memory, with PUT /user/me/memory.'),
  temporary_chat_hours: z.int().describe('Hours after its last message after which a temporary conversation is deleted.'),
});

nameSchemas({ GlobalConfig: GlobalConfigAnswer, GlobalModel });

/** The settings of this installation that clients need. */
@Controller('config')
export class GlobalConfigController {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly toolbox: Toolbox,
    private readonly config: Config,
  ) {}

  @Get('global')
  @SignedIn()
  @Summary('Get the models, the tools and some settings of this installation.')
  @Answers(200, GlobalConfigAnswer)
  async global(@Caller() { userId }: Caller): Promise<z.infer<typeof GlobalConfigAnswer>> {
    const { list, defaultModel, speech, transcriptionModel } = this.catalogue;
    const { allowPublicLinks, temporaryChatHours, userMemory } = this.config;
    return {
      global_available_models: list.map((model) => ({ ...model, capabilities: [...model.capabilities] })),
      default_model: defaultModel,
      speech,
      transcription_model: transcriptionModel,
      tools: [...(await this.toolbox.listed(userId))],
      allow_public_links: allowPublicLinks,
      user_memory: userMemory,
      temporary_chat_hours: temporaryChatHours,
    };
  }
}
