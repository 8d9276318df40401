import { Controller, Get } from '@nestjs/common';
import { Config } from '@parlance/config';
import { ACTIONS, STAGES, SURFACES } from '@parlance/guardrails';
import { Needs } from '@parlance/http';
import { Answers, nameSchemas, Summary } from '@parlance/openapi';
import { z } from 'zod';

const Policy = z.object({
  id: z.string().describe('The name, which users see when the policy blocks something.'),
  apply_to: z.array(z.enum(SURFACES)).describe('Where it applies.'),
  stage: z.enum(STAGES).describe('`input`: texts sent to models. `output`: answers of models.'),
  action: z.enum(ACTIONS).describe('`flag`: only counted.'),
  detectors: z.array(z.string()).describe('What it finds.'),
  words: z.int().describe('Number of words and phrases that the detector `words` finds.'),
  phone_regions: z.array(z.string()).describe('Countries whose national phone numbers are found too.'),
});
const Policies = z.object({ policies: z.array(Policy) });
nameSchemas({ GuardrailPolicy: Policy, GuardrailPolicyList: Policies });

@Controller('admin/guardrails')
@Needs('Admin')
export class GuardrailsController {
  constructor(private readonly config: Config) {}

  @Get()
  @Summary('List the policies of the configuration (`guardrails`) for personal data, secrets and words, in their order.')
  @Answers(200, Policies)
  list(): z.infer<typeof Policies> {
    return {
      policies: this.config.guardrails.map(({ id, apply_to, stage, action, detectors, words, phone_regions }) => ({
        id,
        apply_to: [...apply_to],
        stage,
        action,
        detectors: [...detectors],
        words: words.length,
        phone_regions: [...phone_regions],
      })),
    };
  }
}
