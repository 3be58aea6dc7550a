import { ApiError, type ErrorDetail } from '../errors.ts';
import { parseWithinCaps } from '../graphql/documents/check-document.ts';
import { variablesSchema } from '../graphql/documents/input-schema.ts';
import { type OfferedOperation, readOperation } from '../graphql/documents/offered-operation.ts';
import { textsOfResult } from '../graphql/documents/result-texts.ts';
import { codeOf, dataOf, detailsOf, inputErrors } from '../graphql/errors.ts';
import type { Engine, Operation } from '../graphql/execution/engine.ts';
import { outputSchema, type Tool, type ToolArguments } from './tool.ts';
import { quoted } from './words.ts';

const toolsOfTexts = new WeakMap<readonly string[], readonly Tool[]>();

/** The tools of published documents. @param texts the same array as long as nothing has changed. */
export function publishedTools(texts: readonly string[]): readonly Tool[] {
  const known = toolsOfTexts.get(texts);
  if (known !== undefined) {
    return known;
  }
  const tools = texts.flatMap(toolOf);
  toolsOfTexts.set(texts, tools);
  return tools;
}

function toolOf(text: string): Tool[] {
  const read = readOperation(parseWithinCaps(text));
  if (read?.name === undefined) {
    return [];
  }
  const { name, description = `Runs the published document ${name}.` } = read;
  const inputSchema = variablesSchema(read);
  return [
    {
      name,
      title: name,
      description,
      inputSchema,
      outputSchema: outputSchema({
        data: { type: 'object', description: 'The data of the document. Amounts are in US cents.' },
      }),
      prepare(engine, args) {
        const operation = prepareTool(engine, text, args, Object.keys(inputSchema.properties as object));
        return { operation, answer: (result) => answerOf(read, dataOf(result)) };
      },
    },
  ];
}

/** @throws ApiError naming every invalid argument. */
function prepareTool(
  engine: Engine,
  query: string,
  variables: ToolArguments,
  names: readonly string[],
): Operation {
  const unknown = Object.keys(variables)
    .filter((name) => !names.includes(name))
    .map((name): ErrorDetail => {
      const message = `unknown parameter, allowed: ${names.join(', ') || 'none'}`;
      return { parameter: name.slice(0, 50), message };
    });
  const operation = engine.prepare({ query, operationName: null, variables });
  const { errors } = operation;
  const [error] = errors;
  const details = [...unknown, ...errors.flatMap(detailsOf)];
  if (details.length > 0) {
    throw inputErrors(details);
  }
  if (error !== undefined) {
    const message = errors.map((one) => one.message).join('\n');
    throw new ApiError(codeOf(error) ?? 'INTERNAL_SERVER_ERROR', message);
  }
  return operation;
}

function answerOf(read: OfferedOperation, data: Record<string, unknown>) {
  const { values, lines } = textsOfResult(read, data, quoted);
  return {
    body: { data },
    summary: `The result of ${read.name}.`,
    lines: [...(values.length > 0 ? [values.join('; ')] : []), ...lines],
  };
}
