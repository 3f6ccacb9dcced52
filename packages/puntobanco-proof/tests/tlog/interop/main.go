// Reads a log that puntobanco has written, with Go's own packages: notes, tiles, proofs.
//
// The folder that it is given holds checkpoint, keys (a log's and a witness's), tile/... and asked.json. It writes to
// standard output, as JSON, what it found; the first thing that does not hold ends it with a message.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// What is to be verified and proven.
type asked struct {
	Leaves [][]byte   // the entries of the log, as they were appended
	Record []struct { // our proofs of inclusion
		Index int64
		Proof tlog.RecordProof
	}
	Tree []struct { // our proofs of consistency
		Old   int64
		Root  tlog.Hash
		Proof tlog.TreeProof
	}
}

type found struct {
	Text    string
	Signed  []string // names, in the order of the note
	Size    int64
	Records []tlog.RecordProof // Go's own proofs, from our tiles
	Trees   []tlog.TreeProof
	Vkey    string // of a key that Go has made
	Note    string // signed with it
}

// A witness's key: package note knows Ed25519 over the text alone.
type cosigner struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (c *cosigner) Name() string    { return c.name }
func (c *cosigner) KeyHash() uint32 { return c.hash }
func (c *cosigner) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	time := binary.BigEndian.Uint64(sig)
	timed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", time, msg)
	return ed25519.Verify(c.key, []byte(timed), sig[8:])
}

func readCosigner(vkey string) *cosigner {
	parts := strings.SplitN(vkey, "+", 3)
	id, err := hex.DecodeString(parts[1])
	check(err)
	key, err := base64.StdEncoding.DecodeString(parts[2])
	check(err)
	if key[0] != 4 {
		log.Fatalf("key of type %d", key[0])
	}
	return &cosigner{parts[0], binary.BigEndian.Uint32(id), key[1:]}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(parts ...string) []byte {
	data, err := os.ReadFile(filepath.Join(parts...))
	check(err)
	return data
}

// Tiles from files, whose paths have no height.
type files struct{ folder string }

func (f files) Height() int                                { return height }
func (f files) SaveTiles(tiles []tlog.Tile, data [][]byte) {}
func (f files) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		data, err := os.ReadFile(filepath.Join(f.folder, path))
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func main() {
	log.SetFlags(0)
	folder := os.Args[1]
	var want asked
	check(json.Unmarshal(read(folder, "asked.json"), &want))
	var out found

	keys := strings.Split(strings.TrimSpace(string(read(folder, "keys"))), "\n")
	verifier, err := note.NewVerifier(keys[0])
	check(err)
	opened, err := note.Open(read(folder, "checkpoint"), note.VerifierList(verifier, readCosigner(keys[1])))
	check(err)
	out.Text = opened.Text
	for _, sig := range opened.Sigs {
		out.Signed = append(out.Signed, sig.Name)
	}

	lines := strings.Split(opened.Text, "\n")
	out.Size, err = strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)

	// The reader believes no tile that does not lead to the root. Debian's passes over some full ones, where the tiles
	// of the root are few: what is made of them is checked below
	hashes := tlog.TileHashReader(tlog.Tree{N: out.Size, Hash: root}, files{folder})
	own, err := tlog.TreeHash(out.Size, hashes)
	check(err)
	if own != root {
		log.Fatal("the tiles have another root")
	}
	for _, one := range want.Record {
		leaf := tlog.RecordHash(want.Leaves[one.Index])
		check(tlog.CheckRecord(one.Proof, out.Size, root, one.Index, leaf))
		made, err := tlog.ProveRecord(out.Size, one.Index, hashes)
		check(err)
		check(tlog.CheckRecord(made, out.Size, root, one.Index, leaf))
		out.Records = append(out.Records, made)
	}
	for _, one := range want.Tree {
		check(tlog.CheckTree(one.Proof, out.Size, root, one.Old, one.Root))
		made, err := tlog.ProveTree(out.Size, one.Old, hashes)
		check(err)
		out.Trees = append(out.Trees, made)
	}

	secret, vkey, err := note.GenerateKey(rand.Reader, "go.example/log")
	check(err)
	signer, err := note.NewSigner(secret)
	check(err)
	signed, err := note.Sign(&note.Note{Text: strings.Replace(opened.Text, lines[0], "go.example/log", 1)}, signer)
	check(err)
	out.Vkey, out.Note = vkey, string(signed)
	check(json.NewEncoder(os.Stdout).Encode(out))
}
