import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../running-gateway.js'
import { freePort } from './free-port.js'

/** Whether nginx is here. Where it has to be (`CI=true`) tests run without asking, and fail. */
export const hasNginx: boolean = process.env.CI === 'true' || spawnSync('nginx', ['-v']).error === undefined

/** An nginx with the configuration of a page in front of a gateway. */
export interface Nginx {
  readonly url: string
  close(): Promise<void>
}

/**
 * @param configuration what stands in `http { }`, for a server that listens with TLS; here it does without
 * @param gateway where the gateway answers, in place of 127.0.0.1:8787
 */
export async function startNginx(configuration: string, gateway: string): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'))
  chmodSync(folder, 0o755) // its worker is another user where this one is root
  const port = await freePort()
  const plain = configuration
    .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*\n/gm, '')
    .replace('127.0.0.1:8787', new URL(gateway).host)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((it) => `${it}_temp_path ${folder}/${it};`)
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/errors; worker_processes 1;
     events { worker_connections 256; }
     http { access_log off; ${temporary.join(' ')}
     ${plain} }`,
  )
  // It ends with this process, however that ends.
  const args = ['--pdeathsig', 'KILL', 'nginx', '-e', `${folder}/errors`, '-c', `${folder}/nginx.conf`]
  const child = spawn('setpriv', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  const gone = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${url}/healthz`).then(
      async (response) => (await response.text()) !== '',
      () => false,
    )
  await until('nginx answers', () => child.exitCode !== null || answers())
  return {
    url,
    close: async () => {
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
