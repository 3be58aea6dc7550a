import type { Policy } from '../../access/keys/policy.ts';
import { OperatorError, quote, throwIfAny } from '../../lib/errors.ts';
import { loadService, type Service } from '../../lib/text/service.ts';
import { findUnsupported } from '../../web/shared/markdown.tsx';
import type { Config } from '../settings/config.ts';
import { type CommandEnvironment, readPolicy, requireFile } from './command.ts';

/**
 * Reads the files that the settings of a service name: its policy and its logo.
 *
 * @throws OperatorError with every error of both.
 */
export function readServiceFiles(environment: CommandEnvironment, config: Config) {
  const errors: string[] = [];
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof OperatorError)) {
        throw error;
      }
      errors.push(...error.lines);
      return undefined;
    }
  };
  const policy = attempt(() => readPolicy(environment));
  const service = attempt(() => loadService(config.service, (file) => requireFile(environment, file).path));
  for (const part of policy === undefined ? [] : findUnsupported(policy.text)) {
    errors.push(
      `POLICY_FILE: ${policy?.file} has ${quote(part.slice(0, 100))}, allowed: Markdown without HTML and images, with http, https and mailto links.`,
    );
  }
  throwIfAny(errors);
  return { policy, service } as { policy: Policy; service: Service };
}
