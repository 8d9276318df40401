import { Equals, IsIn, IsOptional, Length, ValidateBy } from 'class-validator';
import { BATCH_ENDPOINTS } from '../../workflows/gateway/batch-lines.ts';

/** As in the API of OpenAI. */
const MOST_PAIRS = 16;
const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;

export const BATCH_URLS = BATCH_ENDPOINTS.map((endpoint) => `/v1/${endpoint}`);

function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  return (
    pairs.length <= MOST_PAIRS &&
    pairs.every(([name, its]) => name.length <= LONGEST_NAME && typeof its === 'string' && its.length <= LONGEST_VALUE)
  );
}

const IsMetadata = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isMetadata',
      validator: {
        validate: isMetadata,
        defaultMessage: () =>
          `must be an object of at most ${MOST_PAIRS} texts of ${LONGEST_VALUE} characters, with names of ${LONGEST_NAME} characters`,
      },
    },
    {
      context: {
        schema: {
          type: 'object',
          maxProperties: MOST_PAIRS,
          propertyNames: { maxLength: LONGEST_NAME },
          additionalProperties: { type: 'string', maxLength: LONGEST_VALUE },
        },
      },
    },
  );

export class BatchBody {
  /** ID of a file with the purpose `batch`. */
  @Length(1, 64) input_file_id!: string;
  @IsIn(BATCH_URLS) endpoint!: string;
  @Equals('24h') completion_window!: string;
  @IsOptional() @IsMetadata() metadata?: Record<string, string>;
}
