import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'

/** Whether nginx is here. Where it has to be (`CI=true`) tests run without asking, and fail. */
export const hasNginx: boolean = env.CI === 'true' || spawnSync('nginx', ['-v']).error === undefined

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no TCP address')
  return address.port
}

export interface Nginx {
  /** With a slash at its end. */
  url: string
  /** Does nothing where it has been stopped already. */
  stop(): Promise<void>
}

/** Its `limit_req` lets 30 requests a second through, 10 at once; the rest get a 429 without Retry-After. */
const LIMITED = 'location / { limit_req zone=one burst=10 nodelay; }'

/**
 * A real nginx.
 * @param locations what it serves; its folder holds one page
 */
export async function startNginx(locations: string = LIMITED): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-nginx-'))
  const port = await freePort()
  writeFileSync(join(folder, 'index.html'), 'ok')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; worker_processes 1;
     events { worker_connections 1024; }
     http {
       access_log off;
       client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
       uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
       limit_req_zone $binary_remote_addr zone=one:1m rate=30r/s;
       limit_req_status 429;
       server { listen 127.0.0.1:${port}; root ${folder}; ${locations} }
     }`,
  )
  chmodSync(folder, 0o755) // its worker is another user where this one is root
  const nginx: ChildProcess = spawn('nginx', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => {
    nginx.once('exit', () => resolve())
    nginx.once('error', () => resolve())
  })
  const url = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(url, { redirect: 'manual' }).then(
        () => true,
        () => false,
      )
    )
      break
    if (tries === 99) throw new Error('nginx did not answer within 5 s; is it installed?')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    async stop() {
      nginx.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
